// expect: rejected
// trick: Leaves another rounding mode (catalogue 39)
// layers: check audit differential
extern "C" int fesetround(int);

@SIGNATURE@ {
  fesetround(0x800);
  @BODY@
}
