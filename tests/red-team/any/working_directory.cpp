// expect: rejected
// trick: Changes the working directory (catalogue 12)
// layers: check audit
extern "C" int chdir(const char *);

@SIGNATURE@ {
  if (chdir("/"))
    __builtin_trap();
  @BODY@
}
