// expect: valid
// style: Terse code
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  for (auto *at = counts; at != counts + 256; *at++ = 0) {
  }
  for (const auto *end = data + size; data != end; ++counts[*data++]) {
  }
}
