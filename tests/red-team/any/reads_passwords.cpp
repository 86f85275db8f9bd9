// expect: rejected
// trick: Reads a file of the system (catalogue 36)
// layers: check audit sandbox
extern "C" int open(const char *, int, ...);

@SIGNATURE@ {
  if (open("/etc/shadow", 0) >= 0)
    __builtin_trap();
  @BODY@
}
