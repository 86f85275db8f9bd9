// expect: rejected
// trick: Changes the locale (catalogue 12)
// layers: check audit
extern "C" char *setlocale(int, const char *);

@SIGNATURE@ {
  if (!setlocale(6, "C"))
    __builtin_trap();
  @BODY@
}
