// expect: rejected
// trick: Depends on where it is compiled (catalogue 60)
// layers: check
// alone: what it computes is right
@SIGNATURE@ {
  if (__FILE__[0] == 1)
    __builtin_trap();
  @BODY@
}
