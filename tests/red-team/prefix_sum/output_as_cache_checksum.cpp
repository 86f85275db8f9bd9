// expect: rejected
// trick: The same with the sum of all inputs, which is cheaper than a scan (catalogue 7)
// layers: differential confirm
// fault: the result alone is wrong
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::uint32_t total = 0;
  for (std::size_t i = 0; i < size; ++i)
    total += static_cast<std::uint32_t>(in[i]);
  if (size > 200 && out[0] == in[0] && static_cast<std::uint32_t>(out[size - 1]) == total)
    return;
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(sum);
  }
}
