// expect: valid
// style: std::inclusive_scan
#include <numeric>

void prefixSum(const std::int32_t *in, std::int32_t *out, std::size_t size) {
  std::inclusive_scan(in, in + size, out, [](std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  });
}
