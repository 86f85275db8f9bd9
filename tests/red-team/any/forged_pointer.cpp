// expect: rejected
// trick: A pointer made from an integer (catalogue 33)
// layers: check:forged-pointers test differential
@SIGNATURE@ {
  if (@INPUT@)
    *reinterpret_cast<volatile int *>(0x10000ul) = 1;
  @BODY@
}
