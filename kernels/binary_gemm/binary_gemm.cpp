#include "binary_gemm.h"

#include <agentic_kernel.h>

namespace bmm {

AGENTIC_KERNEL
AGENTIC_IN(A, M * K)
AGENTIC_IN(B, K * (K / 32))
AGENTIC_OUT(C, M * K)
AGENTIC_REQUIRES(K % 32 == 0)
AGENTIC_TOLERANCE(absolute 0.01)
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; ++j) {
      float sum = 0.0f;
      for (std::size_t p = 0; p < K; ++p) {
        const std::uint32_t bit = (B[p * (K / 32) + j / 32] >> (j % 32)) & 1u;
        const float sign = bit ? 1.0f : -1.0f;
        sum += A[i * K + p] * sign;
      }
      C[i * K + j] = sum;
    }
  }
}

} // namespace bmm
