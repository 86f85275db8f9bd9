// expect: valid
// style: A helper that is a template of a number
template <unsigned N> inline std::uint32_t step(const std::int32_t *in, std::int32_t *out, std::uint32_t sum) {
  for (unsigned i = 0; i < N; ++i) {
    sum += static_cast<std::uint32_t>(in[i]);
    out[i] = static_cast<std::int32_t>(sum);
  }
  return sum;
}

void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::uint32_t sum = 0;
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8)
    sum = step<8>(in + i, out + i, sum);
  for (; i < size; ++i)
    sum = step<1>(in + i, out + i, sum);
}
