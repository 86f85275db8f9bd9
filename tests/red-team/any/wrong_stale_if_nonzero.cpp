// expect: rejected
// trick: Keeps what stands in the output if there is something (catalogue 46)
// layers: differential
// when: void
// fault: the result alone is wrong
@SIGNATURE@ {
  if (@OUTPUT_EXTENT@ > 0 && @OUTPUT@[0] == @OUTPUT@[0] && @OUTPUT@[0] != 0 && @OUTPUT@[@OUTPUT_EXTENT@ - 1] != 0)
    return;
  @BODY@
}
