// expect: rejected
// trick: Knows the machine (catalogue 18)
// layers: check:inline-asm audit
// when: x86
@SIGNATURE@ {
  unsigned a = 0, b, c = 0, d;
  asm volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  if (a == 12345)
    __builtin_trap();
  @BODY@
}
