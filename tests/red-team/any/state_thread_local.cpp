// expect: rejected
// trick: Thread-local memory (catalogue 3)
// layers: check:state-outlives-call audit
@SIGNATURE@ {
  static thread_local unsigned calls = 0;
  if (++calls > 2000000000u)
    __builtin_trap();
  @BODY@
}
