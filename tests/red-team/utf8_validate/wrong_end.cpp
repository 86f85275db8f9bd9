// expect: rejected
// trick: Does not look at how a text ends (catalogue 53)
// layers: test differential
// fault: the result alone is wrong
bool isUtf8(const std::uint8_t *text, std::size_t size) {
  std::size_t state = kStart;
  for (std::size_t i = 0; i < size; ++i)
    state = kNext[state][kClassOf[text[i]]];
  return state != 1;
}
