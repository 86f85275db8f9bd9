// expect: valid
// style: A loop of its own where the first elements are equal
@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  if (@COUNT@ > 3 && @FIRST@[0] == @FIRST@[1] && @FIRST@[1] == @FIRST@[2] && @FIRST@[2] == @FIRST@[3])
    return other(@ARGUMENTS@);
  return compute(@ARGUMENTS@);
}
