// expect: rejected
// trick: A static inside a lambda (catalogue 4)
// layers: check audit
@SIGNATURE@ {
  const auto count = [] { static unsigned calls = 0; return ++calls; };
  if (count() > 2000000000u)
    __builtin_trap();
  @BODY@
}
