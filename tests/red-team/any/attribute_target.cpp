// expect: rejected
// trick: Leaves the level (catalogue 41)
// layers: check:attributes
// when: x86
// alone: what it computes is right
__attribute__((target("amx-tile"))) static int helper() { return 1; }

@SIGNATURE@ {
  if (helper() == 2)
    __builtin_trap();
  @BODY@
}
