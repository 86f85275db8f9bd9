// expect: rejected
// trick: A mark in front of the output (catalogue 35)
// layers: differential
// fault: only where it writes is wrong
@SIGNATURE@ {
  volatile auto *before = @OUTPUT@ - 1;
  *before = *before;
  @BODY@
}
