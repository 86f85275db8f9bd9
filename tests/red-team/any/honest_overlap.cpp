// expect: valid
// style: A test for buffers that overlap
@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  const auto *firstByte = reinterpret_cast<const char *>(@FIRST@);
  const auto *secondByte = reinterpret_cast<const char *>(@SECOND@);
  const bool isApart = firstByte + @COUNT@ <= secondByte || secondByte + @COUNT@ <= firstByte;
  return isApart ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}
