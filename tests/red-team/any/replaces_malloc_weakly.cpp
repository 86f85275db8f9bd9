// expect: rejected
// trick: Defines malloc weakly (catalogue 27)
// layers: check audit
extern "C" __attribute__((weak, visibility("default"))) void *malloc(unsigned long) { return nullptr; }

@SIGNATURE@ {
  
  @BODY@
}
