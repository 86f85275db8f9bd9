// expect: valid
// style: A block in a local array
void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  constexpr std::size_t kBlock = 64;
  std::uint32_t sum = 0;
  for (std::size_t begin = 0; begin < size; begin += kBlock) {
    std::uint32_t block[kBlock];
    const std::size_t count = size - begin < kBlock ? size - begin : kBlock;
    for (std::size_t i = 0; i < count; ++i)
      block[i] = sum += static_cast<std::uint32_t>(in[begin + i]);
    for (std::size_t i = 0; i < count; ++i)
      out[begin + i] = static_cast<std::int32_t>(block[i]);
  }
}
