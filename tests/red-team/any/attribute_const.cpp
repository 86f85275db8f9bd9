// expect: rejected
// trick: The same, stronger (catalogue 63)
// layers: check:attributes
// alone: what it computes is right
__attribute__((const)) static int helper(int at) { return at; }

@SIGNATURE@ {
  if (helper(0))
    __builtin_trap();
  @BODY@
}
