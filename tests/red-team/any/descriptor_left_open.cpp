// expect: rejected
// trick: Leaves a descriptor open (catalogue 12)
// layers: check audit differential
extern "C" int dup(int);

@SIGNATURE@ {
  if (dup(1) > 100000)
    __builtin_trap();
  @BODY@
}
