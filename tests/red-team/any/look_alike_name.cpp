// expect: rejected
// trick: Names that look alike (catalogue 61)
// layers: check:characters
// alone: what it computes is right
static int value() { return 1; }
static int vаlue() { return 2; }

@SIGNATURE@ {
  if (value() == vаlue())
    __builtin_trap();
  @BODY@
}
