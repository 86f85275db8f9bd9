// expect: rejected
// trick: Depends on its own name (catalogue 60)
// layers: check
// alone: what it computes is right
@SIGNATURE@ {
  if (__func__[0] == 1)
    __builtin_trap();
  @BODY@
}
