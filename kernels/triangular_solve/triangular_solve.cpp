#include "triangular_solve.h"

#include <agentic_kernel.h>

namespace blas {

AGENTIC_KERNEL
AGENTIC_IN(L, n * n) AGENTIC_INOUT(B, n * columns)
AGENTIC_TOLERANCE(absolute 1e-4)
void triangularSolve(const float *L, float *B, std::size_t n, std::size_t columns) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t r = 0; r < columns; ++r) {
      float rest = B[i * columns + r];
      for (std::size_t k = 0; k < i; ++k)
        rest -= L[i * n + k] * B[k * columns + r];
      B[i * columns + r] = rest / L[i * n + i];
    }
  }
}

} // namespace blas
