#include "batched_gemm4.h"

#include <agentic_kernel.h>

namespace blas {

AGENTIC_KERNEL
AGENTIC_IN(A, 16 * count) AGENTIC_IN(B, 16 * count) AGENTIC_OUT(C, 16 * count)
AGENTIC_TOLERANCE(absolute 2e-6)
void batchedGemm4(const float *A, const float *B, float *C, std::size_t count) {
  for (std::size_t b = 0; b < count; ++b) {
    const float *left = A + 16 * b;
    const float *right = B + 16 * b;
    float *product = C + 16 * b;
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        float sum = 0.0f;
        for (std::size_t k = 0; k < 4; ++k)
          sum += left[4 * i + k] * right[4 * k + j];
        product[4 * i + j] = sum;
      }
    }
  }
}

} // namespace blas
