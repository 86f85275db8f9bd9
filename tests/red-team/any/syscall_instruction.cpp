// expect: rejected
// trick: A system call without a function (catalogue 33)
// layers: check:inline-asm audit:object-instructions
// when: x86
@SIGNATURE@ {
  long result;
  asm volatile("syscall" : "=a"(result) : "a"(39) : "rcx", "r11", "memory");
  if (result == 0)
    __builtin_trap();
  @BODY@
}
