// expect: rejected
// trick: Chooses its CPU (catalogue 21)
// layers: check audit sandbox
extern "C" int sched_setaffinity(int, unsigned long, const void *);

@SIGNATURE@ {
  const unsigned long mask = ~0ul;
  if (sched_setaffinity(0, sizeof mask, &mask) == 0)
    __builtin_trap();
  @BODY@
}
