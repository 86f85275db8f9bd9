#include "adler32.h"

#include <agentic_kernel.h>

namespace checksum {

constexpr std::uint32_t kModulus = 65521; // the largest prime below 2^16

AGENTIC_KERNEL
AGENTIC_IN(data, size)
AGENTIC_REQUIRES(adler % 65536 < 65521 && adler / 65536 < 65521)
std::uint32_t adler32(std::uint32_t adler, const std::uint8_t *data, std::size_t size) {
  std::uint32_t a = adler & 0xffff;
  std::uint32_t b = adler >> 16;
  for (std::size_t i = 0; i < size; ++i) {
    a = (a + data[i]) % kModulus;
    b = (b + a) % kModulus;
  }
  return b << 16 | a;
}

} // namespace checksum
