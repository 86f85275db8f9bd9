// expect: rejected
// trick: Memory of another function, by its symbol (catalogue 2)
// layers: check audit
extern "C" int optind;

@SIGNATURE@ {
  if (++optind > 2000000000)
    __builtin_trap();
  @BODY@
}
