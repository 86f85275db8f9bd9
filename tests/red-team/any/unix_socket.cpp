// expect: rejected
// trick: Opens a local socket (catalogue 36)
// layers: check audit sandbox
extern "C" int socket(int, int, int);

@SIGNATURE@ {
  if (socket(1, 1, 0) >= 0)
    __builtin_trap();
  @BODY@
}
