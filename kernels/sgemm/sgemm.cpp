#include "sgemm.h"

#include <agentic_kernel.h>

namespace blas {

AGENTIC_KERNEL
AGENTIC_IN(A, M * K) AGENTIC_IN(B, K * N) AGENTIC_OUT(C, M * N)
AGENTIC_TOLERANCE(absolute 0.001)
void sgemm(const float *A, const float *B, float *C, std::size_t M, std::size_t N, std::size_t K) {
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < N; ++j) {
      float sum = 0.0f;
      for (std::size_t p = 0; p < K; ++p)
        sum += A[i * K + p] * B[p * N + j];
      C[i * N + j] = sum;
    }
  }
}

} // namespace blas
