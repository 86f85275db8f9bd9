// expect: rejected
// trick: System calls through a ring (catalogue 36)
// layers: check audit sandbox
extern "C" long syscall(long, ...);

@SIGNATURE@ {
  unsigned parameters[30] = {};
  if (syscall(425, 4, parameters) >= 0)
    __builtin_trap();
  @BODY@
}
