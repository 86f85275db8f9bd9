#include "min_max_index.h"

#include <agentic_kernel.h>

namespace extremes {

AGENTIC_KERNEL
AGENTIC_IN(values, size)
AGENTIC_OUT(smallest, 1) AGENTIC_OUT(largest, 1)
AGENTIC_REQUIRES(size > 0)
AGENTIC_FP(finite)
std::size_t minMaxIndex(const float *values, std::size_t size, float *smallest, float *largest) {
  float least = values[0], greatest = values[0];
  std::size_t index = 0;
  for (std::size_t i = 1; i < size; ++i) {
    if (values[i] < least)
      least = values[i];
    if (values[i] > greatest) {
      greatest = values[i];
      index = i;
    }
  }
  *smallest = least;
  *largest = greatest;
  return index;
}

} // namespace extremes
