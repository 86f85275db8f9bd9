// expect: valid
// style: An array whose used part is a variable, filled to the end with zeros before all of it is read
static __attribute__((noinline)) unsigned lastOf(unsigned n) {
  unsigned long long block[96];
  for (unsigned i = 0; i < n; ++i)
    block[i] = i;
  for (unsigned i = n; i < 96; ++i)
    block[i] = 0;
  unsigned nonzero = 0;
  for (const unsigned long long one : block)
    nonzero += one != 0;
  return nonzero;
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  return lastOf(static_cast<unsigned>(@COUNT@) % 96) < 50 ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}
