#include "partition_less.h"

#include <agentic_kernel.h>

namespace selection {

AGENTIC_KERNEL
AGENTIC_IN(values, size)
AGENTIC_OUT(less, size) AGENTIC_OUT(others, size)
std::size_t partitionLess(const std::int32_t *values, std::size_t size, std::int32_t pivot, std::int32_t *less,
                          std::int32_t *others) {
  std::size_t lessCount = 0, othersCount = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (values[i] < pivot)
      less[lessCount++] = values[i];
    else
      others[othersCount++] = values[i];
  }
  return lessCount;
}

} // namespace selection
