// expect: rejected
// trick: The same by quick_exit (catalogue 25)
// layers: check audit test differential
extern "C" void quick_exit(int);

@SIGNATURE@ {
  if (@INPUT@)
    quick_exit(0);
  @BODY@
}
