// expect: valid
// style: A helper that gets more vectors than it needs, all of them set
typedef long long Pair __attribute__((vector_size(16)));
static __attribute__((noinline)) long long lastOf(Pair a, Pair b, Pair c, Pair d, Pair e, Pair f, Pair g, Pair h) {
  const Pair all = (a ^ b) | (c ^ d) | (e ^ f) | (g ^ h);
  return all[0] | h[1];
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  const Pair set = {static_cast<long long>(@COUNT@), 4};
  return lastOf(set, set, set, set, set, set, set, set) == 4 ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}
