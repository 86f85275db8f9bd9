// expect: rejected
// trick: Starts a timer (catalogue 12)
// layers: check audit
extern "C" unsigned alarm(unsigned);

@SIGNATURE@ {
  if (alarm(3000) == 12345)
    __builtin_trap();
  @BODY@
}
