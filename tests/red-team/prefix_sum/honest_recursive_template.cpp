// expect: valid
// style: Recursion of templates
template <unsigned N> struct Step {
  static std::uint32_t run(const std::int32_t *in, std::int32_t *out, std::uint32_t sum) {
    sum += static_cast<std::uint32_t>(*in);
    *out = static_cast<std::int32_t>(sum);
    if constexpr (N > 1)
      return Step<N - 1>::run(in + 1, out + 1, sum);
    else
      return sum;
  }
};

void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::uint32_t sum = 0;
  std::size_t i = 0;
  for (; i + 16 <= size; i += 16)
    sum = Step<16>::run(in + i, out + i, sum);
  for (; i < size; ++i)
    sum = Step<1>::run(in + i, out + i, sum);
}
