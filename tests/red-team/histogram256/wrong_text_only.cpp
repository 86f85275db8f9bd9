// expect: rejected
// trick: Assumes plain text where it begins with it (catalogue 45)
// layers: differential
// fault: the result alone is wrong
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  bool text = size > 64;
  for (std::size_t i = 0; text && i < 64; ++i)
    text = data[i] < 128;
  for (std::size_t value = 0; value < 256; ++value)
    counts[value] = 0;
  for (std::size_t i = 0; i < size; ++i)
    ++counts[text ? data[i] & 127 : data[i]];
}
