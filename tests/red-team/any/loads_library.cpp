// expect: rejected
// trick: Loads code that was compiled before (catalogue 36)
// layers: check audit
extern "C" void *dlopen(const char *, int);

@SIGNATURE@ {
  if (dlopen("/tmp/prebuilt.so", 2))
    __builtin_trap();
  @BODY@
}
