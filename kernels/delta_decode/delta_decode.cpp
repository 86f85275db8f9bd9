#include "delta_decode.h"

#include <agentic_kernel.h>

namespace coding {

static std::uint32_t fromZigzag(std::uint32_t code) {
  return code >> 1 ^ (0 - (code & 1)); // all bits inverted if the lowest one is set
}

AGENTIC_KERNEL
AGENTIC_IN(deltas, count)
AGENTIC_OUT(values, count)
void deltaDecode(const std::uint32_t *deltas, std::int32_t *values, std::size_t count, std::int32_t first) {
  std::uint32_t value = static_cast<std::uint32_t>(first);
  for (std::size_t i = 0; i < count; ++i) {
    value += fromZigzag(deltas[i]);
    values[i] = static_cast<std::int32_t>(value);
  }
}

} // namespace coding
