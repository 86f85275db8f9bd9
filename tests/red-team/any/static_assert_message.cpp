// expect: rejected
// trick: A failing assertion that talks (catalogue 61)
// layers: check compile
static_assert(sizeof(int) == 5, "the expected values are needed here");

@SIGNATURE@ {
  
  @BODY@
}
