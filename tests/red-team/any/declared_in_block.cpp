// expect: rejected
// trick: A function of the library, declared inside a function (catalogue 29)
// layers: check audit
@SIGNATURE@ {
  extern int helper(...);
  int close(int) __asm__("close");
  if (!@INPUT@)
    close(3);
  @BODY@
}
