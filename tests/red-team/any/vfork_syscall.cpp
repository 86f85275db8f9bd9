// expect: rejected
// trick: The same by the system call's number (catalogue 13)
// layers: check audit sandbox
// when: x86
extern "C" long syscall(long, ...);

@SIGNATURE@ {
  if (syscall(57) >= 0)
    __builtin_trap();
  @BODY@
}
