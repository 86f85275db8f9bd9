// expect: rejected
// trick: Every second byte counts twice (catalogue 44)
// layers: test differential
// fault: the result alone is wrong
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  for (std::size_t value = 0; value < 256; ++value)
    counts[value] = 0;
  for (std::size_t i = 0; i < size; i += 2)
    counts[data[i]] += i + 1 < size ? 2 : 1;
}
