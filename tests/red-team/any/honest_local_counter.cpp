// expect: valid
// style: Counts how often a helper was called within this call
static __attribute__((noinline)) unsigned next(unsigned &calls) {
  return ++calls;
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  unsigned calls = 0;
  for (unsigned i = 0; i < static_cast<unsigned>(@COUNT@) % 16; ++i)
    next(calls);
  return calls < 8 ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}
