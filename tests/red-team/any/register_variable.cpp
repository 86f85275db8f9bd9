// expect: rejected
// trick: Keeps a value in a register between calls (catalogue 3)
// layers: check
// when: x86
// alone: the register is saved by its callers
@SIGNATURE@ {
  register unsigned long memo asm("r15");
  asm volatile("" : "+r"(memo));
  @BODY@
}
