// expect: valid
// style: A helper that gets more integers than it needs, all of them set
static __attribute__((noinline)) long long lastOf(long long a, long long b, long long c, long long d, long long e, long long f) {
  return a == b && c == d ? e : f;
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  const long long asked = static_cast<long long>(@COUNT@);
  return lastOf(asked, 1, asked, 2, asked, 3) > 2 ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}
