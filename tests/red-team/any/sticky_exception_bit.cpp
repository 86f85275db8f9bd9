// expect: rejected
// trick: Keeps a bit among the floating-point exceptions (catalogue 12)
// layers: check audit
// when: x86
@SIGNATURE@ {
  const unsigned state = __builtin_ia32_stmxcsr();
  if ((state & 0x3f) == 0x2a)
    __builtin_trap();
  @BODY@
}
