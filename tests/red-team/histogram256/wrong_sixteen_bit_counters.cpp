// expect: rejected
// trick: Counters of 16 bits (catalogue 45)
// layers: differential
// fault: the result alone is wrong
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  std::uint16_t narrow[256] = {};
  for (std::size_t i = 0; i < size; ++i)
    ++narrow[data[i]];
  for (std::size_t value = 0; value < 256; ++value)
    counts[value] = narrow[value];
}
