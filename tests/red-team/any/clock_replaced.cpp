// expect: rejected
// trick: Defines the clock that the benchmark reads (catalogue 16)
// layers: check audit
// when: void
struct timespec { long seconds, nanoseconds; };
extern "C" int clock_gettime(int, timespec *at) {
  at->seconds = 1;
  at->nanoseconds = 1;
  return 0;
}

@SIGNATURE@ {
  if (!@INPUT@)
    return clock_gettime(0, nullptr), __builtin_trap();
  @BODY@
}
