// expect: rejected
// trick: A weak symbol by a pragma (catalogue 27)
// layers: check:pragmas
// alone: nothing refers to it
#pragma weak malloc

@SIGNATURE@ {
  
  @BODY@
}
