// expect: rejected
// trick: Blocks a signal (catalogue 12)
// layers: check audit
extern "C" int sigsetmask(int);

@SIGNATURE@ {
  if (sigsetmask(0) == 12345)
    __builtin_trap();
  @BODY@
}
