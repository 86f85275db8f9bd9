// expect: rejected
// trick: Promises something of a helper (catalogue 63)
// layers: check:attributes
// alone: what it computes is right
__attribute__((returns_nonnull, malloc)) static const void *helper(const void *at) { return at; }

@SIGNATURE@ {
  if (!helper(@INPUT@))
    __builtin_trap();
  @BODY@
}
