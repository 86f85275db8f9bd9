// expect: rejected
// trick: Other options for the compiler (catalogue 40)
// layers: check:pragmas
// alone: Clang ignores it
#pragma GCC optimize("fast-math")

@SIGNATURE@ {
  
  @BODY@
}
