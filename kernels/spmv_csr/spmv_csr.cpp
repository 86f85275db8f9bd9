#include "spmv_csr.h"

#include <agentic_kernel.h>

namespace sparse {

AGENTIC_KERNEL
AGENTIC_IN(rowBegin, rows + 1) AGENTIC_OUT(y, rows)
AGENTIC_TOLERANCE(absolute 0.001)
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
