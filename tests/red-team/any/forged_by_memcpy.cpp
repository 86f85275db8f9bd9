// expect: rejected
// trick: A pointer made by copying bytes (catalogue 33)
// layers: check:forged-pointers test differential
@SIGNATURE@ {
  unsigned long number = 0x40000ul;
  volatile int *forged = nullptr;
  __builtin_memcpy(&forged, &number, sizeof forged);
  if (@INPUT@)
    *forged = 1;
  @BODY@
}
