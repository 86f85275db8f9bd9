#include "histogram256.h"

#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#endif

namespace stats {

AGENTIC_KERNEL
void histogram256(const std::uint8_t *data, std::size_t size, std::uint32_t *counts) {
  for (std::size_t value = 0; value < 256; ++value)
    counts[value] = 0;
  for (std::size_t i = 0; i < size; ++i)
    ++counts[data[i]];
}

} // namespace stats
