// expect: rejected
// trick: Knows the machine by the compiler's run-time library (catalogue 18)
// layers: check audit
// when: x86
@SIGNATURE@ {
  if (__builtin_cpu_supports("avx512f") && !@INPUT@)
    __builtin_trap();
  @BODY@
}
