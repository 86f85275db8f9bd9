// expect: rejected
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
