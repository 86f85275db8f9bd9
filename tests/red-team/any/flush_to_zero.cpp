// expect: rejected
// trick: Leaves denormals flushed to zero (catalogue 39)
// layers: check audit differential
// when: x86
@SIGNATURE@ {
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040u);
  @BODY@
}
