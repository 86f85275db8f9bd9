// expect: rejected
// trick: Results of 11 bits (catalogue 42)
// layers: differential
// when: void floating-output x86
// fault: the result alone is wrong
@HELPER compute@ @BODY@

@SIGNATURE@ {
  compute(@ARGUMENTS@);
  for (std::size_t i = 0; i < static_cast<std::size_t>(@OUTPUT_EXTENT@); ++i)
    @OUTPUT@[i] = static_cast<float>(static_cast<_Float16>(@OUTPUT@[i]));
}
