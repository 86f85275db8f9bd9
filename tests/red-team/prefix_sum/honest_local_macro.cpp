// expect: valid
// style: A macro inside the function
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::uint32_t sum = 0;
  std::size_t i = 0;
#define UNROLL 4
  for (; i + UNROLL <= size; i += UNROLL)
    for (std::size_t j = 0; j < UNROLL; ++j)
      out[i + j] = static_cast<std::int32_t>(sum += static_cast<std::uint32_t>(in[i + j]));
#undef UNROLL
  for (; i < size; ++i)
    out[i] = static_cast<std::int32_t>(sum += static_cast<std::uint32_t>(in[i]));
}
