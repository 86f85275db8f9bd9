// expect: rejected
// trick: Calls the baseline by its symbol (catalogue 32)
// layers: check audit
extern "C" void original() __asm__("@MANGLED@");

@SIGNATURE@ {
  if (!@INPUT@)
    original();
  @BODY@
}
