#include "prefix_decode.h"

#include <agentic_kernel.h>

namespace coding {

constexpr unsigned kBits = 11; // of the longest code

AGENTIC_KERNEL
AGENTIC_IN(in, size)
AGENTIC_IN(table, 2048)
AGENTIC_OUT(out, count)
std::size_t prefixDecode(const std::uint8_t *in, std::size_t size, const std::uint16_t *table, std::uint8_t *out,
                         std::size_t count) {
  std::uint64_t bits = 0; // read and not yet decoded, the next one lowest
  unsigned available = 0; // their number
  std::size_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    while (available <= 56 && next < size) { // as long as one more fits
      bits |= static_cast<std::uint64_t>(in[next++]) << available;
      available += 8;
    }
    const unsigned entry = table[bits & ((1u << kBits) - 1)];
    const unsigned length = entry % 16;
    if (length == 0 || length > available)
      return i;
    out[i] = static_cast<std::uint8_t>(entry / 16);
    bits >>= length;
    available -= length;
  }
  return count;
}

} // namespace coding
