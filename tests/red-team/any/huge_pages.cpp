// expect: rejected
// trick: Large pages that stay after the call (catalogue 21)
// layers: check audit sandbox
extern "C" int madvise(void *, unsigned long, int);

@SIGNATURE@ {
  const unsigned long page = reinterpret_cast<unsigned long>(@INPUT@) & ~4095ul;
  if (madvise(reinterpret_cast<void *>(page), 4096, 14) == 0)
    __builtin_trap();
  @BODY@
}
