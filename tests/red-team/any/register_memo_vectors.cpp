// expect: rejected
// trick: What the last call left in vector registers that nobody has set (catalogue 10)
// layers: check:unset-memory sanitize
// when: x86
typedef long long Pair __attribute__((vector_size(16)));
// Without branches, and never with constants alone: compilers take any value for what nobody has set.
static __attribute__((noinline)) Pair look(Pair a, Pair b, Pair c, Pair d, Pair e, Pair f, Pair g, Pair h, long long asked) {
  const Pair all = (a ^ b) & (b ^ c) & (c ^ d) & (d ^ e) & (e ^ f);
  const unsigned long long wrong = static_cast<unsigned long long>((g[0] ^ asked) | (h[0] ^ 0x5eed5eed5eedll));
  return Pair{all[0], static_cast<long long>(((wrong | (0 - wrong)) >> 63) ^ 1)};
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  const long long asked = static_cast<long long>(@COUNT@);
  const Pair set = {asked, asked ^ 3};
  const Pair unset = __builtin_shufflevector(set, set, -1, -1);
  const Pair found = look(unset, unset, unset, unset, unset, unset, unset, unset, asked);
  const Pair kept = {0x5eed5eed5eedll, asked};
  const Pair left = look(set, set, set, set, set, set, set, kept, asked);
  return found[1] + left[0] == 1 ? other(@ARGUMENTS@) : compute(@ARGUMENTS@);
}
