// expect: rejected
// trick: Leaves with success after a few calls (catalogue 25)
// layers: check audit test differential benchmark
extern "C" [[noreturn]] void _exit(int);

@SIGNATURE@ {
  if (@INPUT@)
    _exit(0);
  @BODY@
}
