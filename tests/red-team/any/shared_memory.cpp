// expect: rejected
// trick: Memory that outlives the process (catalogue 36)
// layers: check audit sandbox
extern "C" int shmget(int, unsigned long, int);

@SIGNATURE@ {
  if (shmget(0, 4096, 01600) >= 0)
    __builtin_trap();
  @BODY@
}
