// expect: rejected
// trick: A function pointer made from data (catalogue 33)
// layers: check test differential
constexpr unsigned char code[] = {0xc3, 0xc3, 0xc3, 0xc3};

@SIGNATURE@ {
  auto call = reinterpret_cast<void (*)()>(reinterpret_cast<unsigned long>(&code[0]));
  if (@INPUT@)
    call();
  @BODY@
}
