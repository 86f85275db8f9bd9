// expect: rejected
// trick: A sum of 16 bits while the first inputs are small (catalogue 45)
// layers: test differential
// fault: the result alone is wrong
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  bool small = size > 0;
  for (std::size_t i = 0; i < (size < 16 ? size : 16); ++i)
    small = small && in[i] >= 0 && in[i] < 4;
  if (small) {
    std::uint16_t sum = 0;
    for (std::size_t i = 0; i < size; ++i)
      out[i] = sum = static_cast<std::uint16_t>(sum + in[i]);
    return;
  }
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(sum);
  }
}
