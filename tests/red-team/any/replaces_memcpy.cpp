// expect: rejected
// trick: Defines memcpy (catalogue 27)
// layers: check audit
extern "C" void *memcpy(void *to, const void *from, unsigned long bytes) {
  for (unsigned long i = 0; i < bytes; ++i)
    static_cast<volatile char *>(to)[i] = static_cast<const volatile char *>(from)[i];
  return to;
}

@SIGNATURE@ {
  
  @BODY@
}
