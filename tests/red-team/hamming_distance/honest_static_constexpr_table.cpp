// expect: valid
// style: A static constexpr table inside the function
std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  static constexpr std::uint8_t kNibble[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
  std::uint64_t distance = 0;
  for (std::size_t i = 0; i < words; ++i)
    for (std::uint64_t rest = a[i] ^ b[i]; rest != 0; rest >>= 4)
      distance += kNibble[rest & 0xf];
  return distance;
}
