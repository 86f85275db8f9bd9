#include "hamming_distance.h"

#include <agentic_kernel.h>

namespace bits {

AGENTIC_KERNEL
AGENTIC_IN(a, words)
AGENTIC_IN(b, words)
AGENTIC_MAY_ALIAS(a, b)
std::uint64_t hammingDistance(const std::uint64_t *a, const std::uint64_t *b, std::size_t words) {
  std::uint64_t distance = 0;
  for (std::size_t i = 0; i < words; ++i) {
    std::uint64_t difference = a[i] ^ b[i];
    while (difference != 0) {
      difference &= difference - 1; // clears the lowest set bit
      ++distance;
    }
  }
  return distance;
}

} // namespace bits
