// expect: rejected
// trick: Gives a keyword another meaning (catalogue 54)
// layers: check:directives
// alone: what it computes is right
#define const

@SIGNATURE@ {
  
  @BODY@
}
