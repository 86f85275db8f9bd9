// expect: rejected
// trick: What the last call left in an array whose size and used part are variables (catalogue 10)
// layers: sandbox sanitize
static __attribute__((noinline)) bool isKnown(unsigned size, unsigned first) {
  volatile unsigned long long memo[size];
  for (unsigned i = 0; i < first; ++i)
    memo[i] = 1;
  bool known = false;
  for (unsigned i = 0; i < size; ++i) {
    known = known || memo[i] == 0x5eed5eed5eed5eedull;
    memo[i] = 0x5eed5eed5eed5eedull;
  }
  return known;
}

@HELPER honest@ @BODY@

@SIGNATURE@ {
  if (isKnown(96, 8))
    __builtin_trap();
  return honest(@ARGUMENTS@);
}
