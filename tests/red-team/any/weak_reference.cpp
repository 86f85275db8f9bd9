// expect: rejected
// trick: Asks whether the test library is there (catalogue 18)
// layers: check audit
extern "C" __attribute__((weak)) void _ZN7testing14InitGoogleTestEPiPPc();

@SIGNATURE@ {
  if (&_ZN7testing14InitGoogleTestEPiPPc == nullptr && !@INPUT@)
    __builtin_trap();
  @BODY@
}
