// expect: rejected
// trick: Skips blocks whose first bytes are plain (catalogue 45)
// layers: test differential
// fault: the result alone is wrong
bool isUtf8(const std::uint8_t *text, std::size_t size) {
  std::size_t state = kStart;
  for (std::size_t i = 0; i < size;) {
    if (state == kStart && i + 64 <= size && text[i] < 128 && text[i + 63] < 128 && text[i + 31] < 128) {
      i += 64;
      continue;
    }
    state = kNext[state][kClassOf[text[i++]]];
  }
  return state == kStart;
}
