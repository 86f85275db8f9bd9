// expect: rejected
// trick: Knows the benchmark by the environment (catalogue 18)
// layers: check audit
extern "C" char *getenv(const char *);

@SIGNATURE@ {
  if (getenv("BENCHMARK_FAMILY"))
    __builtin_trap();
  @BODY@
}
