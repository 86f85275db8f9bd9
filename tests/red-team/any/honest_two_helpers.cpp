// expect: valid
// style: Helpers that call each other
@HELPER inner@ @BODY@

@HELPER outer@ {
  return inner(@ARGUMENTS@);
}

@SIGNATURE@ {
  return outer(@ARGUMENTS@);
}
