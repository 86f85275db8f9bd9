// expect: rejected
// trick: Writes to the input through the output's pointer (catalogue 11)
// layers: differential
// fault: only where it writes is wrong
@SIGNATURE@ {
  volatile unsigned char *bytes = reinterpret_cast<volatile unsigned char *>(@OUTPUT@);
  const long distance = static_cast<long>(reinterpret_cast<unsigned long>(@INPUT@) - reinterpret_cast<unsigned long>(@OUTPUT@));
  bytes[distance] = bytes[distance];
  @BODY@
}
