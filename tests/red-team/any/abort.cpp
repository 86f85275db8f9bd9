// expect: rejected
// trick: Dies (catalogue 31)
// layers: check audit test differential benchmark
@SIGNATURE@ {
  if (@INPUT@)
    __builtin_abort();
  @BODY@
}
