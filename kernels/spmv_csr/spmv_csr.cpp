#include "spmv_csr.h"

#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#endif

namespace sparse {

AGENTIC_KERNEL
void spmvCsr(const float *values, const std::uint32_t *columns, const std::uint32_t *rowBegin, const float *x, float *y,
             std::size_t rows) {
  for (std::size_t r = 0; r < rows; ++r) {
    float sum = 0.0f;
    for (std::size_t k = rowBegin[r]; k < rowBegin[r + 1]; ++k)
      sum += values[k] * x[columns[k]];
    y[r] = sum;
  }
}

} // namespace sparse
