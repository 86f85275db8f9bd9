// expect: rejected
// trick: One element in a hundred is not written (catalogue 44)
// layers: test differential
// when: void
// fault: the result alone is wrong
@HELPER compute@ @BODY@

@SIGNATURE@ {
  compute(@ARGUMENTS@);
  for (std::size_t i = 57; i < static_cast<std::size_t>(@OUTPUT_EXTENT@); i += 100)
    @OUTPUT@[i] = {};
}
