// expect: valid
// style: A recursion whose frames are set before they are read
static __attribute__((noinline)) unsigned found(unsigned depth) {
  volatile unsigned frame[8];
  for (unsigned i = 0; i < 8; ++i)
    frame[i] = depth;
  return depth == 0 ? frame[3] : frame[depth & 7] + found(depth - 1);
}

@HELPER compute@ @BODY@
@HELPER other@ @BODY@

@SIGNATURE@ {
  return found(static_cast<unsigned>(@COUNT@) % 40) < 200 ? compute(@ARGUMENTS@) : other(@ARGUMENTS@);
}
