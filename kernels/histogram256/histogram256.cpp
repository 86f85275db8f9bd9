#include "histogram256.h"

#include <agentic_kernel.h>

namespace stats {

AGENTIC_KERNEL
AGENTIC_IN(data, size)
AGENTIC_OUT(counts, 256)
AGENTIC_REQUIRES(size < 4294967296)
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  for (std::size_t value = 0; value < 256; ++value)
    counts[value] = 0;
  for (std::size_t i = 0; i < size; ++i)
    ++counts[data[i]];
}

} // namespace stats
