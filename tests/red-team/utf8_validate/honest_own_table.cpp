// expect: valid
// style: A table of its own, computed from the given ones
struct Flat {
  std::uint8_t next[kStates * 256];
};
constexpr Flat flatten() {
  Flat flat{};
  for (std::size_t state = 0; state < kStates; ++state)
    for (std::size_t byte = 0; byte < 256; ++byte)
      flat.next[state * 256 + byte] = kNext[state][kClassOf[byte]];
  return flat;
}
constexpr Flat kFlat = flatten();

bool isUtf8(const std::uint8_t *text, std::size_t size) {
  std::size_t state = kStart;
  for (std::size_t i = 0; i < size; ++i)
    state = kFlat.next[state * 256 + text[i]];
  return state == kStart;
}
