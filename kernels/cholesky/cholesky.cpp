#include "cholesky.h"

#include <agentic_kernel.h>
#include <cmath>

namespace lapack {

AGENTIC_KERNEL
AGENTIC_INOUT(A, n * n)
AGENTIC_TOLERANCE(absolute 1e-9)
AGENTIC_FP(finite)
void cholesky(double *A, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = A[i * n + j];
      for (std::size_t k = 0; k < j; ++k)
        rest -= A[i * n + k] * A[j * n + k];
      A[i * n + j] = i == j ? std::sqrt(rest) : rest / A[j * n + j];
    }
  }
}

} // namespace lapack
