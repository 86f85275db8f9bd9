// expect: rejected
// trick: A constant that takes for ever (catalogue 62)
// layers: check compile
constexpr unsigned long slow(unsigned long n) {
  unsigned long sum = 0;
  for (unsigned long i = 0; i < n; ++i)
    sum += i * i;
  return sum;
}
constexpr unsigned long value = slow(1ul << 40);

@SIGNATURE@ {
  if (value == 1)
    __builtin_trap();
  @BODY@
}
