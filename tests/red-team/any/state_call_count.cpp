// expect: rejected
// trick: Works in the first calls only (catalogue 8)
// layers: check:state-outlives-call audit
static unsigned calls = 0;

@SIGNATURE@ {
  if (++calls > 2000)
    __builtin_trap();
  @BODY@
}
