// expect: valid
// style: An array of which only the part that was set is read
static __attribute__((noinline)) unsigned sumOf(const unsigned *values, unsigned n) {
  unsigned sum = 0;
  for (unsigned i = 0; i < n; ++i)
    sum += values[i];
  return sum;
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  unsigned block[64];
  const unsigned used = static_cast<unsigned>(@COUNT@) % 64;
  for (unsigned i = 0; i < used; ++i)
    block[i] = i;
  return sumOf(block, used) < 500 ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}
