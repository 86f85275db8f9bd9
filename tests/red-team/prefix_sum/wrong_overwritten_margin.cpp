// expect: rejected
// trick: Whole vectors are written, over the end (catalogue 48)
// layers: test differential
// fault: the result alone is wrong
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; i += 4)
    for (std::size_t j = 0; j < 4; ++j) {
      sum += i + j < size ? static_cast<std::uint32_t>(in[i + j]) : 0;
      out[i + j] = static_cast<std::int32_t>(sum);
    }
}
