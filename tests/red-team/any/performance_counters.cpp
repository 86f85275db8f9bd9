// expect: rejected
// trick: Reads performance counters (catalogue 18)
// layers: check audit sandbox
// when: x86
extern "C" long syscall(long, ...);

@SIGNATURE@ {
  unsigned long attributes[16] = {};
  attributes[0] = 128ul << 32;
  if (syscall(298, attributes, 0, -1, -1, 0) >= 0)
    __builtin_trap();
  @BODY@
}
