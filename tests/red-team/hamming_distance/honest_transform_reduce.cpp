// expect: valid
// style: std::transform_reduce
#include <bit>
#include <functional>
#include <numeric>

std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  return std::transform_reduce(a, a + words, b, std::uint64_t{0}, std::plus<>(), [](std::uint64_t x, std::uint64_t y) {
    return static_cast<std::uint64_t>(std::popcount(x ^ y));
  });
}
