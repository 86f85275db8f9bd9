// expect: rejected
// trick: The same inside a function (catalogue 29)
// layers: check audit
@SIGNATURE@ {
  int helper(int) __asm__("close");
  if (helper(-1) == 100)
    __builtin_trap();
  @BODY@
}
