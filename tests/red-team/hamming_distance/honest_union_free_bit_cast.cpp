// expect: valid
// style: Bits of a float, by std::bit_cast
#include <bit>

std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  std::uint64_t distance = 0;
  for (std::size_t i = 0; i < words; ++i) {
    std::uint64_t rest = a[i] ^ b[i];
    while (rest != 0) {
      rest &= rest - 1;
      ++distance;
    }
  }
  constexpr std::uint32_t kOne = std::bit_cast<std::uint32_t>(1.0f);
  return distance + (kOne - 0x3f800000u);
}
