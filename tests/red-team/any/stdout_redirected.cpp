// expect: rejected
// trick: Sends what is printed elsewhere (catalogue 26)
// layers: check audit
extern "C" int dup2(int, int);

@SIGNATURE@ {
  if (dup2(2, 1) > 100000)
    __builtin_trap();
  @BODY@
}
