// expect: rejected
// trick: Code hidden in an attribute (catalogue 29)
// layers: check
// alone: it does nothing when it runs
static void leave(int *) {}

@SIGNATURE@ {
  int guard __attribute__((cleanup(leave))) = 0;
  (void)guard;
  @BODY@
}
