// expect: rejected
// trick: Writes one element of an empty output (catalogue 48)
// layers: differential
// when: void
// fault: only where it writes is wrong
@HELPER compute@ @BODY@

@SIGNATURE@ {
  compute(@ARGUMENTS@);
  if (@OUTPUT_EXTENT@ == 0)
    @OUTPUT@[0] = {};
}
