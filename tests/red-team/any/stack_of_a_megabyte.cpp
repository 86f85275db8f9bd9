// expect: rejected
// trick: More stack than a kernel may use (catalogue 62)
// layers: differential
// alone: a test program has that much
@SIGNATURE@ {
  volatile unsigned char scratch[1u << 20];
  for (unsigned i = 0; i < sizeof scratch; i += 512)
    scratch[i] = 1;
  @BODY@
}
