// expect: rejected
// trick: Atomics (catalogue 13)
// layers: check:threads
// alone: what it computes is right
@SIGNATURE@ {
  unsigned count = 0;
  __atomic_fetch_add(&count, 1u, __ATOMIC_SEQ_CST);
  @BODY@
}
