// expect: rejected
// trick: The same by the instruction (catalogue 25)
// layers: check:inline-asm audit test differential
// when: x86
@SIGNATURE@ {
  asm volatile("syscall" : : "a"(231), "D"(0) : "rcx", "r11", "memory");
  @BODY@
}
