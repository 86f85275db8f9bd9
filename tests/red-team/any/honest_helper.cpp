// expect: valid
// style: The baseline in a helper
@HELPER compute@ @BODY@

@SIGNATURE@ {
  return compute(@ARGUMENTS@);
}
