// expect: rejected
// trick: The last element is not written (catalogue 44)
// layers: test differential
// when: void
// fault: the result alone is wrong
@HELPER compute@ @BODY@

@SIGNATURE@ {
  if (@OUTPUT_EXTENT@ == 0)
    return;
  const auto last = @OUTPUT@[@OUTPUT_EXTENT@ - 1];
  compute(@ARGUMENTS@);
  @OUTPUT@[@OUTPUT_EXTENT@ - 1] = last;
}
