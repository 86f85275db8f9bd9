// expect: rejected
// trick: Turns a crash into something else (catalogue 31)
// layers: check audit
extern "C" void (*signal(int, void (*)(int)))(int);
static void ignore(int) {}

@SIGNATURE@ {
  signal(11, ignore);
  @BODY@
}
