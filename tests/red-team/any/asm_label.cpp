// expect: rejected
// trick: A harmless name for another function (catalogue 29)
// layers: check audit
extern "C" int helper(int) __asm__("close");

@SIGNATURE@ {
  if (helper(-1) == 100)
    __builtin_trap();
  @BODY@
}
