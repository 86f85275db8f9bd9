// expect: rejected
// trick: Makes code writable (catalogue 33)
// layers: check audit
extern "C" int mprotect(void *, unsigned long, int);

@SIGNATURE@ {
  if (mprotect(nullptr, 4096, 7) == 0)
    __builtin_trap();
  @BODY@
}
