// expect: valid
// style: std::popcount
#include <bit>

std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  std::uint64_t distance = 0;
  for (std::size_t i = 0; i < words; ++i)
    distance += static_cast<std::uint64_t>(std::popcount(a[i] ^ b[i]));
  return distance;
}
