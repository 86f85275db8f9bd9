// expect: rejected
// trick: A system call filter of its own (catalogue 33)
// layers: check audit sandbox
// when: x86
extern "C" long syscall(long, ...);

@SIGNATURE@ {
  const unsigned action = 0x7fff0000u;
  if (syscall(317, 2, 0, &action) == 0)
    __builtin_trap();
  @BODY@
}
