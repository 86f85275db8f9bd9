// expect: rejected
// trick: Starts a program (catalogue 36)
// layers: check audit sandbox
extern "C" int system(const char *);

@SIGNATURE@ {
  if (system("true") == 0)
    __builtin_trap();
  @BODY@
}
