// expect: valid
// style: A path of its own for one shape, with a general one
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  for (std::size_t value = 0; value < 256; ++value)
    counts[value] = 0;
  if (size % 2 == 0) {
    for (std::size_t i = 0; i < size; i += 2) {
      ++counts[data[i]];
      ++counts[data[i + 1]];
    }
    return;
  }
  for (std::size_t i = 0; i < size; ++i)
    ++counts[data[i]];
}
