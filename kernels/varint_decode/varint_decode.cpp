#include "varint_decode.h"

#include <agentic_kernel.h>

namespace coding {

AGENTIC_KERNEL
AGENTIC_IN(in, size)
AGENTIC_OUT(values, count)
std::size_t varintDecode(const std::uint8_t *in, std::size_t size, std::uint32_t *values, std::size_t count) {
  std::size_t used = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t value = 0;
    std::uint8_t byte = 0x80;
    for (unsigned shift = 0; byte & 0x80; shift += 7) {
      if (used == size || shift > 28)
        return 0;
      byte = in[used++];
      value |= static_cast<std::uint32_t>(byte & 0x7f) << shift;
    }
    values[i] = value;
  }
  return used;
}

} // namespace coding
