// expect: rejected
// trick: Dies without a function (catalogue 31)
// layers: test differential benchmark
// fault: the result alone is wrong
@SIGNATURE@ {
  if (@INPUT@)
    __builtin_trap();
  @BODY@
}
