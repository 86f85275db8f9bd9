// expect: rejected
// trick: Keeps a bit in errno (catalogue 12)
// layers: check audit differential
extern "C" int *__errno_location();

@SIGNATURE@ {
  if (*__errno_location() == 12345)
    __builtin_trap();
  *__errno_location() = 54321;
  @BODY@
}
