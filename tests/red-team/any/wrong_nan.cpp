// expect: rejected
// trick: Not-a-number everywhere, in the hope that it compares equal (catalogue 34)
// layers: test differential
// when: void floating-output
// fault: the result alone is wrong
@HELPER compute@ @BODY@

@SIGNATURE@ {
  compute(@ARGUMENTS@);
  for (std::size_t i = 0; i < static_cast<std::size_t>(@OUTPUT_EXTENT@); ++i)
    @OUTPUT@[i] = __builtin_nanf("");
}
