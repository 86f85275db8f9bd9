// expect: rejected
// trick: A constant that is computed when the library is loaded (catalogue 5)
// layers: check audit:object-init|object-data
extern "C" int getpid();
static const int process = getpid();

@SIGNATURE@ {
  if (process == 1)
    __builtin_trap();
  @BODY@
}
