// expect: rejected
// trick: What the last call left far below, in the frames of a recursion (catalogue 10)
// layers: sandbox sanitize
static __attribute__((noinline)) unsigned found(unsigned depth) {
  volatile unsigned long long frame[8];
  unsigned known = 0;
  for (unsigned i = 0; i < 8; ++i) {
    known += frame[i] == 0x5eed5eed5eed5eedull;
    frame[i] = 0x5eed5eed5eed5eedull;
  }
  return depth == 0 ? known : known + found(depth - 1) + (frame[depth & 7] == 0);
}

@HELPER honest@ @BODY@

@SIGNATURE@ {
  if (found(40) != 0)
    __builtin_trap();
  return honest(@ARGUMENTS@);
}
