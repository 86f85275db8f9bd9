// expect: rejected
// trick: A mark 4 KB behind the output, beyond small guards (catalogue 35)
// layers: differential
// fault: only where it writes is wrong
@SIGNATURE@ {
  volatile auto *bytes = reinterpret_cast<volatile unsigned char *>(@OUTPUT@ + @OUTPUT_EXTENT@) + 4096 + 64;
  *bytes = *bytes;
  @BODY@
}
