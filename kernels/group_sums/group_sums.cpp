#include "group_sums.h"

#include <agentic_kernel.h>

namespace aggregation {

AGENTIC_KERNEL
AGENTIC_IN(values, size) AGENTIC_IN(groups, size)
AGENTIC_OUT(sums, 256)
AGENTIC_REQUIRES(size < 4294967296)
void groupSums(const std::int32_t *values, const std::uint8_t *groups, std::size_t size, std::int64_t *sums) {
  for (std::size_t group = 0; group < 256; ++group)
    sums[group] = 0;
  for (std::size_t i = 0; i < size; ++i)
    sums[groups[i]] += values[i];
}

} // namespace aggregation
