// expect: rejected
// trick: A second name for code (catalogue 29)
// layers: check audit
extern "C" void agenticReal() {}
extern "C" void agenticAlias() __attribute__((alias("agenticReal")));

@SIGNATURE@ {
  agenticAlias();
  @BODY@
}
