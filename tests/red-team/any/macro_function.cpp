// expect: rejected
// trick: A function-like macro at file scope (catalogue 54)
// layers: check
// alone: what it computes is right
#define STEP(x) ((x) + 1)

@SIGNATURE@ {
  if (STEP(1) == 7)
    __builtin_trap();
  @BODY@
}
