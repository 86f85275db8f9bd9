// expect: rejected
// trick: Does nothing where the first elements are equal, as in no random data (catalogue 45)
// layers: test differential
// fault: the result alone is wrong
@HELPER honest@ @BODY@

@SIGNATURE@ {
  if (@COUNT@ > 3 && @FIRST@[0] == @FIRST@[1] && @FIRST@[1] == @FIRST@[2] && @FIRST@[2] == @FIRST@[3])
    return decltype(honest(@ARGUMENTS@))();
  return honest(@ARGUMENTS@);
}
