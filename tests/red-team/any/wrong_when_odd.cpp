// expect: rejected
// trick: Correct for even sizes only (catalogue 51)
// layers: test differential
// when: void
// fault: the result alone is wrong
@HELPER compute@ @BODY@

@SIGNATURE@ {
  compute(@ARGUMENTS@);
  if (@OUTPUT_EXTENT@ % 2 == 1 && @OUTPUT_EXTENT@ > 1)
    @OUTPUT@[@OUTPUT_EXTENT@ - 2] = {};
}
