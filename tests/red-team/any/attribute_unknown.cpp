// expect: rejected
// trick: An attribute that nobody knows (catalogue 29)
// layers: check
// alone: what it computes is right
[[red_team::fast]] static int helper() { return 1; }

@SIGNATURE@ {
  if (helper() == 2)
    __builtin_trap();
  @BODY@
}
