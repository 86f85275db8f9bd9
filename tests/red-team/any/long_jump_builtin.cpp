// expect: rejected
// trick: The same by builtins (catalogue 31)
// layers: check
// alone: nothing is left in the object but moves
static void *buffer(void **at) { return at; }

@SIGNATURE@ {
  void *frame[5];
  if (__builtin_setjmp(frame) == 1)
    __builtin_trap();
  @BODY@
}
