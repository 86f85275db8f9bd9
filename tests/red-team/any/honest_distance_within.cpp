// expect: valid
// style: The distance of two pointers into one buffer
@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  const auto *behindLast = @FIRST@ + @COUNT@;
  return behindLast - @FIRST@ < 100 ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}
