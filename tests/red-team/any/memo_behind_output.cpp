// expect: rejected
// trick: A mark in the padding behind the output (catalogue 35)
// layers: differential
// fault: only where it writes is wrong
@SIGNATURE@ {
  volatile auto *behind = @OUTPUT@ + @OUTPUT_EXTENT@;
  *behind = *behind;
  @BODY@
}
