// expect: rejected
// trick: Reads a vector behind the end of the input (catalogue 48)
// layers: differential
// fault: only where it reads is wrong
@SIGNATURE@ {
  const volatile auto *behind = @INPUT@ + @INPUT_EXTENT@;
  for (int i = 0; i < 16; ++i)
    (void)behind[i];
  @BODY@
}
