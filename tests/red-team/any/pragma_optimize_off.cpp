// expect: rejected
// trick: Leaves the rest of the unit unoptimised (catalogue 40)
// layers: check:pragmas
// alone: what it computes is right
#pragma clang optimize off

@SIGNATURE@ {
  
  @BODY@
}
