#include "checksum.h"

#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#endif

AGENTIC_KERNEL
std::uint32_t checksum(const std::uint8_t *bytes, std::size_t size) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i)
    sum += static_cast<std::uint32_t>(i + 1) * bytes[i];
  return sum;
}
