// expect: rejected
// trick: Recursion as deep as the input is long (catalogue 62)
// layers: differential
// alone: a test program has that much
static unsigned depth(volatile unsigned char *at, unsigned n) {
  volatile unsigned char frame[256];
  frame[0] = at[0];
  return n == 0 ? frame[0] : depth(frame, n - 1) + frame[0];
}

@SIGNATURE@ {
  volatile unsigned char seed[1] = {1};
  if (depth(seed, 4000) == 7)
    __builtin_trap();
  @BODY@
}
