// expect: rejected
// trick: Assumes that equal bytes stand together (catalogue 45)
// layers: test differential
// fault: the result alone is wrong
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  for (std::size_t value = 0; value < 256; ++value)
    counts[value] = 0;
  for (std::size_t i = 0; i < size;) {
    const std::size_t step = i + 64 < size && data[i] == data[i + 63] ? 64 : 1;
    counts[data[i]] += static_cast<std::uint32_t>(step);
    i += step;
  }
}
