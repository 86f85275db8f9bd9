// expect: rejected
// trick: A mark in the constant input (catalogue 11)
// layers: check differential
@SIGNATURE@ {
  auto *bytes = (volatile unsigned char *)@INPUT@;
  bytes[0] = bytes[0];
  @BODY@
}
