// expect: rejected
// trick: The same by a builtin (catalogue 60)
// layers: check
// alone: what it computes is right
@SIGNATURE@ {
  if (__builtin_FILE()[0] == 1 || __builtin_LINE() == 100000)
    __builtin_trap();
  @BODY@
}
