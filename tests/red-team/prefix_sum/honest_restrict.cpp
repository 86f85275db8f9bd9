// expect: valid
// style: Pointers that do not overlap
void prefixSum(const std::int32_t *__restrict in, std::int32_t *__restrict out, std::size_t size) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i)
    out[i] = static_cast<std::int32_t>(sum += static_cast<std::uint32_t>(in[i]));
}
