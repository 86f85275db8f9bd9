// expect: rejected
// trick: Another process does the work (catalogue 13)
// layers: check audit sandbox
extern "C" int fork();

@SIGNATURE@ {
  if (fork() >= 0)
    __builtin_trap();
  @BODY@
}
