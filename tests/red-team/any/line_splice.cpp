// expect: rejected
// trick: A keyword in two lines (catalogue 54)
// layers: check:state-outlives-call|candidate-form audit
sta\
tic unsigned calls = 0;

@SIGNATURE@ {
  if (++calls > 2000000000u)
    __builtin_trap();
  @BODY@
}
