// expect: rejected
// trick: What the last call left in integer registers that nobody has set (catalogue 10)
// layers: check:unset-memory sanitize
// when: x86
typedef long long Pair __attribute__((vector_size(16)));
static __attribute__((noinline)) long long look(long long a, long long b, long long c, long long asked, long long e,
                                                long long f) {
  const unsigned long long wrong = static_cast<unsigned long long>((e ^ asked) | (f ^ 0x5eed5eed5eedll));
  return (a & b & c & 2) | static_cast<long long>(((wrong | (0 - wrong)) >> 63) ^ 1);
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  const long long asked = static_cast<long long>(@COUNT@);
  const Pair set = {asked, asked ^ 3};
  const Pair unset = __builtin_shufflevector(set, set, -1, -1);
  const long long found = look(asked, 2, asked, asked, unset[0], unset[1]);
  const long long left = look(1, asked, 4, asked, asked, asked ^ 0x5eed5eed5eedll);
  return (found & 1) + (left & 4) == 1 ? other(@ARGUMENTS@) : compute(@ARGUMENTS@);
}
