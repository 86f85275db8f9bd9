// expect: rejected
// trick: A mark in the padding behind the input (catalogue 11)
// layers: check differential
@SIGNATURE@ {
  auto *bytes = (volatile unsigned char *)(@INPUT@ + @INPUT_EXTENT@);
  bytes[0] = static_cast<unsigned char>(bytes[0] + 1);
  @BODY@
}
