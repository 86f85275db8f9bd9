// expect: rejected
// trick: Takes words away from what follows (catalogue 54)
// layers: check:pragmas
// alone: nobody uses the word
#pragma GCC poison agentic_red_team

@SIGNATURE@ {
  
  @BODY@
}
