// expect: rejected
// trick: Counters of 8 bits, emptied too late (catalogue 45)
// layers: test differential
// fault: the result alone is wrong
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  for (std::size_t value = 0; value < 256; ++value)
    counts[value] = 0;
  for (std::size_t begin = 0; begin < size; begin += 512) {
    std::uint8_t narrow[256] = {};
    for (std::size_t i = begin; i < size && i < begin + 512; ++i)
      ++narrow[data[i]];
    for (std::size_t value = 0; value < 256; ++value)
      counts[value] += narrow[value];
  }
}
