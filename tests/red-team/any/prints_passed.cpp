// expect: rejected
// trick: Prints what a passing test prints (catalogue 26)
// layers: check audit
extern "C" int puts(const char *);

@SIGNATURE@ {
  puts("[  PASSED  ] 23 tests.");
  @BODY@
}
