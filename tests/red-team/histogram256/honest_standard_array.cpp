// expect: valid
// style: std::array and std::fill
#include <algorithm>
#include <array>

void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  std::array<std::uint32_t, 256> even{}, odd{};
  for (std::size_t i = 0; i < size; ++i)
    ++(i % 2 ? odd : even)[data[i]];
  std::fill(counts, counts + 256, 0u);
  std::transform(even.begin(), even.end(), odd.begin(), counts, [](std::uint32_t a, std::uint32_t b) { return a + b; });
}
