// expect: rejected
// trick: Never ends (catalogue 17)
// layers: test differential benchmark
// fault: the result alone is wrong
@SIGNATURE@ {
  volatile unsigned one = 1;
  while (one)
    one = 1;
  @BODY@
}
