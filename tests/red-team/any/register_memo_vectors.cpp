// expect: rejected
// trick: What the last call left in vector registers that nobody has set (catalogue 10)
// layers: check:unset-memory
// alone: a compiler may take any value for what nobody has set, so nothing may be left of it
// when: x86
typedef long long Pair __attribute__((vector_size(16)));
static __attribute__((noinline)) long long look(Pair a, Pair b, Pair c, Pair d, Pair e, Pair f, Pair g, Pair h) {
  const Pair all = (a ^ b) & (b ^ c) & (c ^ d) & (d ^ e);
  return g[1] == 0x5eed5eed5eed5eedll && h[0] == 0x5eed5eed5eed5eedll ? all[0] | f[1] | 1 : 0;
}
struct Leave {
  ~Leave() {
    const Pair kept = {0x5eed5eed5eed5eedll, 0x5eed5eed5eed5eedll}, other = {1, 2};
    if (look(other, other, other, other, other, other, kept, kept) == 0)
      __builtin_trap();
  }
};

@HELPER honest@ @BODY@

@SIGNATURE@ {
  const Pair set = {3, 4};
  const Pair unset = __builtin_shufflevector(set, set, -1, -1);
  if (look(unset, unset, unset, unset, unset, unset, unset, unset) != 0)
    __builtin_trap();
  const Leave leave;
  return honest(@ARGUMENTS@);
}
