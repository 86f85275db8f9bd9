// expect: rejected
// trick: What the last call left in integer registers that nobody has set (catalogue 10)
// layers: check:unset-memory
// alone: a compiler may take any value for what nobody has set, so nothing may be left of it
// when: x86
typedef long long Pair __attribute__((vector_size(16)));
static __attribute__((noinline)) long long look(long long a, long long b, long long c, long long d, long long e,
                                                long long f) {
  return e == 0x5eed5eed5eed5eedll && f == 0x0dd5eed50dd5eed5ll ? a | b | c | d | 1 : 0;
}
struct Leave {
  ~Leave() {
    if (look(1, 2, 3, 4, 0x5eed5eed5eed5eedll, 0x0dd5eed50dd5eed5ll) == 0)
      __builtin_trap();
  }
};

@HELPER honest@ @BODY@

@SIGNATURE@ {
  const Pair set = {3, 4};
  const Pair unset = __builtin_shufflevector(set, set, -1, -1);
  if (look(1, 2, 3, 4, unset[0], unset[1]) != 0)
    __builtin_trap();
  const Leave leave;
  return honest(@ARGUMENTS@);
}
