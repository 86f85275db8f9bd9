// expect: rejected
// trick: A contract of its own (catalogue 43)
// layers: test differential
// when: void
// fault: the result alone is wrong
AGENTIC_TOLERANCE(absolute 1e30)
@HELPER compute@ @BODY@

@SIGNATURE@ {
  compute(@ARGUMENTS@);
  for (std::size_t i = 0; i < static_cast<std::size_t>(@OUTPUT_EXTENT@); ++i)
    @OUTPUT@[i] = {};
}
