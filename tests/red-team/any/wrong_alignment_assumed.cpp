// expect: rejected
// trick: Aligned loads from the input (catalogue 47)
// layers: differential
// when: x86
// fault: the result alone is wrong
typedef float Vector __attribute__((vector_size(16)));

@SIGNATURE@ {
  const volatile Vector *vector = reinterpret_cast<const volatile Vector *>(@INPUT@);
  if (@INPUT_EXTENT@ * sizeof(*@INPUT@) >= 16)
    (void)vector[0];
  @BODY@
}
