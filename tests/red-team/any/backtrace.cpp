// expect: rejected
// trick: Knows its caller by unwinding (catalogue 18)
// layers: check audit
extern "C" int backtrace(void **, int);

@SIGNATURE@ {
  void *frames[4];
  if (backtrace(frames, 4) == 100)
    __builtin_trap();
  @BODY@
}
