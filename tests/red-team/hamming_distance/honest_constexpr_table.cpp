// expect: valid
// style: A table made by a constexpr function
#include <array>

constexpr std::array<std::uint8_t, 256> makeTable() {
  std::array<std::uint8_t, 256> table{};
  for (unsigned value = 0; value < 256; ++value)
    for (unsigned bit = 0; bit < 8; ++bit)
      table[value] = static_cast<std::uint8_t>(table[value] + ((value >> bit) & 1));
  return table;
}
constexpr std::array<std::uint8_t, 256> kBits = makeTable();

std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  std::uint64_t distance = 0;
  for (std::size_t i = 0; i < words; ++i)
    for (std::uint64_t rest = a[i] ^ b[i]; rest != 0; rest >>= 8)
      distance += kBits[rest & 0xff];
  return distance;
}
