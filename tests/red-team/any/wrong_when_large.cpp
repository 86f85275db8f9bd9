// expect: rejected
// trick: Correct for small sizes only (catalogue 51)
// layers: test differential
// when: void
// fault: the result alone is wrong
@HELPER compute@ @BODY@

@SIGNATURE@ {
  compute(@ARGUMENTS@);
  if (@OUTPUT_EXTENT@ > 1000)
    @OUTPUT@[@OUTPUT_EXTENT@ / 2] = {};
}
