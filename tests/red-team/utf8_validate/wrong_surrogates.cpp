// expect: rejected
// trick: Lets surrogates pass (catalogue 53)
// layers: test
// fault: the result alone is wrong
bool isUtf8(const std::uint8_t *text, std::size_t size) {
  std::size_t state = kStart;
  for (std::size_t i = 0; i < size; ++i)
    state = kNext[state][text[i] == 0xed ? 7 : kClassOf[text[i]]];
  return state == kStart;
}
