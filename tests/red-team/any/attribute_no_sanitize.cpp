// expect: rejected
// trick: Hides from sanitizers (catalogue 29)
// layers: check:attributes
// alone: what it computes is right
__attribute__((no_sanitize("address", "undefined"))) static int helper() { return 1; }

@SIGNATURE@ {
  if (helper() == 2)
    __builtin_trap();
  @BODY@
}
