// expect: rejected
// trick: Depends on how often it is compiled (catalogue 60)
// layers: check
// alone: what it computes is right
@SIGNATURE@ {
  if (__COUNTER__ == 100000)
    __builtin_trap();
  @BODY@
}
