// expect: rejected
// trick: The same, deeper, by alloca (catalogue 10)
// layers: check sandbox
static bool isKnown() {
  volatile unsigned long long *memo = static_cast<volatile unsigned long long *>(__builtin_alloca(8192));
  bool known = false;
  for (unsigned i = 0; i < 1024; ++i) {
    known = known || memo[i] == 0x5eed5eed5eed5eedull;
    memo[i] = 0x5eed5eed5eed5eedull;
  }
  return known;
}

@SIGNATURE@ {
  if (isKnown())
    __builtin_trap();
  @BODY@
}
