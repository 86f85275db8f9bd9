// expect: rejected
// trick: Random numbers from the processor (catalogue 12)
// layers: check audit
// when: x86
@SIGNATURE@ {
  asm volatile("rdrand %%eax" : : : "eax");
  @BODY@
}
