// expect: rejected
// trick: An attribute that is not for kernels (catalogue 29)
// layers: check:attributes
// alone: what it computes is right
__attribute__((optnone)) static int helper() { return 1; }

@SIGNATURE@ {
  if (helper() == 2)
    __builtin_trap();
  @BODY@
}
