#include "bit_unpack.h"

#include <agentic_kernel.h>

namespace coding {

AGENTIC_KERNEL
AGENTIC_IN(packed, (count * bits + 7) / 8)
AGENTIC_OUT(values, count)
AGENTIC_REQUIRES(bits >= 1 && bits <= 32)
void bitUnpack(const std::uint8_t *packed, std::uint32_t *values, std::size_t count, unsigned bits) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::uint64_t buffer = 0; // read and not yet used, the next bit lowest
  unsigned filled = 0;      // how many those are
  for (std::size_t i = 0; i < count; ++i) {
    while (filled < bits) {
      buffer |= static_cast<std::uint64_t>(*packed++) << filled;
      filled += 8;
    }
    values[i] = static_cast<std::uint32_t>(buffer & mask);
    buffer >>= bits;
    filled -= bits;
  }
}

} // namespace coding
