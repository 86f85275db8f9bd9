// expect: rejected
// trick: A static that is initialised at the first call (catalogue 1)
// layers: check:state-outlives-call audit
static int first(const void *at) { return at != nullptr; }

@SIGNATURE@ {
  static const int known = first(@INPUT@);
  if (known == 7)
    __builtin_trap();
  @BODY@
}
