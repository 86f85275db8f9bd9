// expect: rejected
// trick: A pointer made by a bit cast (catalogue 33)
// layers: check:forged-pointers test differential
@SIGNATURE@ {
  if (@INPUT@) {
    auto *forged = __builtin_bit_cast(volatile int *, 0x20000ul);
    *forged = 1;
  }
  @BODY@
}
