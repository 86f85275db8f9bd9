// expect: rejected
// trick: Maps memory of its own (catalogue 9)
// layers: check audit
extern "C" void *mmap(void *, unsigned long, int, int, int, long);

@SIGNATURE@ {
  if (mmap(nullptr, 4096, 3, 0x22, -1, 0) == nullptr)
    __builtin_trap();
  @BODY@
}
