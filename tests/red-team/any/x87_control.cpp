// expect: rejected
// trick: Leaves the x87 unit at another precision (catalogue 39)
// layers: check audit
// when: x86
@SIGNATURE@ {
  const unsigned short word = 0x007f;
  asm volatile("fldcw %0" : : "m"(word));
  @BODY@
}
