// expect: rejected
// trick: Sets a variable of the environment (catalogue 12)
// layers: check audit
extern "C" int setenv(const char *, const char *, int);

@SIGNATURE@ {
  if (setenv("MEMO", "1", 1))
    __builtin_trap();
  @BODY@
}
