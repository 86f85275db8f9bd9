// expect: rejected
// trick: The first element is zero (catalogue 44)
// layers: test differential
// when: void
// fault: the result alone is wrong
@HELPER compute@ @BODY@

@SIGNATURE@ {
  if (@OUTPUT_EXTENT@ == 0)
    return;
  compute(@ARGUMENTS@);
  @OUTPUT@[0] = {};
}
