// expect: rejected
// trick: Promises that it never happens (catalogue 49)
// layers: test differential
// fault: the result alone is wrong
@SIGNATURE@ {
  if (@COUNT@ > 0)
    __builtin_unreachable();
  @BODY@
}
