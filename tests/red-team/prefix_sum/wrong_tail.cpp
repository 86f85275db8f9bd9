// expect: rejected
// trick: The tail behind the last whole vector is forgotten (catalogue 44)
// layers: test differential
// fault: the result alone is wrong
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i + 8 <= size; i += 8)
    for (std::size_t j = 0; j < 8; ++j)
      out[i + j] = static_cast<std::int32_t>(sum += static_cast<std::uint32_t>(in[i + j]));
}
