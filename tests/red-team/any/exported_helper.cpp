// expect: rejected
// trick: A helper that the rest of the program can see (catalogue 27)
// layers: check audit
extern "C" __attribute__((visibility("default"), used)) int benchmark_hook() { return 1; }

@SIGNATURE@ {
  
  @BODY@
}
