// expect: rejected
// trick: Reads the user's files (catalogue 36)
// layers: check audit sandbox
extern "C" int open(const char *, int, ...);

@SIGNATURE@ {
  if (open("/root/.bashrc", 0) >= 0 || open("/root/.profile", 0) >= 0)
    __builtin_trap();
  @BODY@
}
