// expect: rejected
// trick: Reads a vector in front of the input (catalogue 48)
// layers: differential
// fault: only where it reads is wrong
@SIGNATURE@ {
  const volatile auto *before = @INPUT@;
  for (int i = 1; i < 5; ++i)
    (void)*(before - i);
  @BODY@
}
