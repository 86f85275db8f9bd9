// expect: rejected
// trick: A mark 800 KB behind the output (catalogue 35)
// layers: differential
// fault: only where it writes is wrong
@SIGNATURE@ {
  volatile auto *bytes = reinterpret_cast<volatile unsigned char *>(@OUTPUT@ + @OUTPUT_EXTENT@) + 800000;
  *bytes = *bytes;
  @BODY@
}
