// expect: valid
// style: Four local tables
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  std::uint32_t tables[4][256] = {};
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4)
    for (std::size_t t = 0; t < 4; ++t)
      ++tables[t][data[i + t]];
  for (; i < size; ++i)
    ++tables[0][data[i]];
  for (std::size_t value = 0; value < 256; ++value)
    counts[value] = tables[0][value] + tables[1][value] + tables[2][value] + tables[3][value];
}
