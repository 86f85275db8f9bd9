// expect: rejected
// trick: Reads it by a name that every machine has (catalogue 18)
// layers: check audit
@SIGNATURE@ {
  if (__builtin_readcyclecounter() == 1)
    __builtin_trap();
  @BODY@
}
