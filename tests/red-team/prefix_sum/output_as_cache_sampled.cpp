// expect: rejected
// trick: The same with every 61st element (catalogue 7)
// layers: differential confirm
// fault: the result alone is wrong
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  bool known = size > 200 && out[0] == in[0];
  for (std::size_t i = 61; known && i < size; i += 61)
    known = static_cast<std::uint32_t>(out[i]) - static_cast<std::uint32_t>(out[i - 1]) == static_cast<std::uint32_t>(in[i]);
  if (known)
    return;
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(sum);
  }
}
