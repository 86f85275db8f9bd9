// expect: rejected
// trick: Reads the time stamp counter (catalogue 18)
// layers: check audit
// when: x86
@SIGNATURE@ {
  if (__builtin_ia32_rdtsc() == 1)
    __builtin_trap();
  @BODY@
}
