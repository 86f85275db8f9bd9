// expect: rejected
// trick: Arguments that nobody passed: the frames of the callers (catalogue 12)
// layers: check:io-and-clocks
// alone: reading the frames above changes nothing
static long frames(int count, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, count);
  long sum = 0;
  for (int i = 0; i < count; ++i)
    sum += __builtin_va_arg(list, long);
  return sum;
}

@SIGNATURE@ {
  volatile long seen = frames(12);
  (void)seen;
  @BODY@
}
