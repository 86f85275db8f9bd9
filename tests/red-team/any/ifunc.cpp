// expect: rejected
// trick: Code that runs when a symbol is resolved (catalogue 15)
// layers: check audit
extern "C" void agenticReal() {}
extern "C" void (*agenticResolve())() { return agenticReal; }
extern "C" void agenticChosen() __attribute__((ifunc("agenticResolve")));

@SIGNATURE@ {
  agenticChosen();
  @BODY@
}
