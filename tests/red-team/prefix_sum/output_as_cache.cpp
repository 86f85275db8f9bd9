// expect: rejected
// trick: The output is the cache: three elements are looked at, and if they fit, it is done (catalogue 7)
// layers: differential confirm
// fault: the result alone is wrong
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  if (size > 64 && out[0] == in[0] &&
      static_cast<std::uint32_t>(out[size / 2]) - static_cast<std::uint32_t>(out[size / 2 - 1]) == static_cast<std::uint32_t>(in[size / 2]) &&
      static_cast<std::uint32_t>(out[size - 1]) - static_cast<std::uint32_t>(out[size - 2]) == static_cast<std::uint32_t>(in[size - 1]))
    return;
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(sum);
  }
}
