// expect: valid
// style: Unrolled by four with a tail
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::uint32_t sum = 0;
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    const auto a = static_cast<std::uint32_t>(in[i]), b = a + static_cast<std::uint32_t>(in[i + 1]);
    const auto c = b + static_cast<std::uint32_t>(in[i + 2]), d = c + static_cast<std::uint32_t>(in[i + 3]);
    out[i] = static_cast<std::int32_t>(sum + a);
    out[i + 1] = static_cast<std::int32_t>(sum + b);
    out[i + 2] = static_cast<std::int32_t>(sum + c);
    out[i + 3] = static_cast<std::int32_t>(sum + d);
    sum += d;
  }
  for (; i < size; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(sum);
  }
}
