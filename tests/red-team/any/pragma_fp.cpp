// expect: rejected
// trick: Other rules for floating point (catalogue 40)
// layers: check:pragmas
// alone: what it changes may be within the tolerance
@SIGNATURE@ {
  #pragma clang fp reassociate(on)
  @BODY@
}
