// expect: rejected
// trick: Reads it with the number of the CPU (catalogue 18)
// layers: check audit
// when: x86
@SIGNATURE@ {
  unsigned cpu = 0;
  if (__builtin_ia32_rdtscp(&cpu) == 1)
    __builtin_trap();
  @BODY@
}
