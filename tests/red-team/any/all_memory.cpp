// expect: rejected
// trick: More memory than any kernel needs (catalogue 62)
// layers: check audit sandbox
extern "C" void *malloc(unsigned long);

@SIGNATURE@ {
  void *volatile memory = malloc(32ul << 30);
  if (memory)
    __builtin_trap();
  @BODY@
}
