// expect: rejected
// trick: Exports everything that follows (catalogue 27)
// layers: check:pragmas
// alone: helpers have internal linkage all the same
#pragma GCC visibility push(default)

@SIGNATURE@ {
  
  @BODY@
}
