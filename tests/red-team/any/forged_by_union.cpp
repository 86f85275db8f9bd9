// expect: rejected
// trick: A pointer made by a union (catalogue 33)
// layers: check:forged-pointers test differential
union Forge { unsigned long number; volatile int *pointer; };

@SIGNATURE@ {
  Forge forge;
  forge.number = 0x30000ul;
  if (@INPUT@)
    *forge.pointer = 1;
  @BODY@
}
