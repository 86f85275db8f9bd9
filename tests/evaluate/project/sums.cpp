#include "sums.h"

#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#endif

namespace sums {

AGENTIC_KERNEL void running(const unsigned *x, unsigned *y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    unsigned sum = 0;
    for (std::size_t j = 0; j <= i; ++j)
      sum += x[j];
    y[i] = sum;
  }
}

} // namespace sums
