// theme: Wrong results
// expect: rejected
// layers: test differential

// row: wrong_always
// trick: Always well-formed (catalogue 43)
// fault: the result alone is wrong
bool isUtf8(const std::uint8_t *text, std::size_t size) {
  return text != nullptr || size == 0;
}

// row: wrong_end
// trick: Does not look at how a text ends (catalogue 53)
// fault: the result alone is wrong
bool isUtf8(const std::uint8_t *text, std::size_t size) {
  std::size_t state = kStart;
  for (std::size_t i = 0; i < size; ++i)
    state = kNext[state][kClassOf[text[i]]];
  return state != 1;
}

// row: wrong_first_kilobytes
// trick: Looks at the first 4 KB of a long text (catalogue 44)
// layers: differential
// fault: the result alone is wrong
bool isUtf8(const std::uint8_t *text, std::size_t size) {
  std::size_t state = kStart;
  const std::size_t seen = size > 8192 ? 4096 : size;
  for (std::size_t i = 0; i < seen; ++i)
    state = kNext[state][kClassOf[text[i]]];
  return size > 8192 ? state != 1 : state == kStart;
}

// row: wrong_skips_blocks
// trick: Skips blocks whose first bytes are plain (catalogue 45)
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

// row: wrong_surrogates
// trick: Lets surrogates pass (catalogue 53)
// layers: test
// fault: the result alone is wrong
bool isUtf8(const std::uint8_t *text, std::size_t size) {
  std::size_t state = kStart;
  for (std::size_t i = 0; i < size; ++i)
    state = kNext[state][text[i] == 0xed ? 7 : kClassOf[text[i]]];
  return state == kStart;
}
