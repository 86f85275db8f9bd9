// expect: rejected
// trick: Promises the compiler sizes that calls do not have (catalogue 49)
// layers: test differential
// fault: the result alone is wrong
@SIGNATURE@ {
  __builtin_assume(@COUNT@ < 2);
  @BODY@
}
