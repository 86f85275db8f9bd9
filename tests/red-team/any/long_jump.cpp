// expect: rejected
// trick: Jumps out of the kernel (catalogue 31)
// layers: check audit
extern "C" int _setjmp(void *);

@SIGNATURE@ {
  unsigned long buffer[64];
  if (_setjmp(buffer) == 7)
    __builtin_trap();
  @BODY@
}
