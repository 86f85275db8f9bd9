// expect: rejected
// trick: Lets callers leave calls out (catalogue 63)
// layers: check:attributes
// alone: what it computes is right
__attribute__((pure)) static int helper(const void *at) { return at != nullptr; }

@SIGNATURE@ {
  if (helper(nullptr))
    __builtin_trap();
  @BODY@
}
