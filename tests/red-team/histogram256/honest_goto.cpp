// expect: valid
// style: Jumps
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  std::size_t i = 0;
clear:
  counts[i] = 0;
  if (++i < 256)
    goto clear;
  for (i = 0; i < size; ++i)
    ++counts[data[i]];
}
