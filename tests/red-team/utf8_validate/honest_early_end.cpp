// expect: valid
// style: Ends at the first error
bool isUtf8(const std::uint8_t *text, std::size_t size) {
  std::size_t state = kStart;
  for (std::size_t i = 0; i < size; ++i) {
    state = kNext[state][kClassOf[text[i]]];
    if (state == 1)
      return false;
  }
  return state == kStart;
}
