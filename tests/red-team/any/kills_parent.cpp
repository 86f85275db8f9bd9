// expect: rejected
// trick: Signals other processes (catalogue 33)
// layers: check audit sandbox
extern "C" int kill(int, int);
extern "C" int getppid();

@SIGNATURE@ {
  if (getppid() > 1 && kill(getppid(), 0) == 0)
    __builtin_trap();
  @BODY@
}
