#include "gemm_i8.h"

#include <agentic_kernel.h>

namespace quantised {

AGENTIC_KERNEL
AGENTIC_IN(A, M * K) AGENTIC_IN(B, N * K) AGENTIC_OUT(C, M * N)
AGENTIC_REQUIRES(K <= 131071)
void gemmI8(const std::int8_t *A, const std::int8_t *B, std::int32_t *C, std::size_t M, std::size_t N, std::size_t K) {
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < N; ++j) {
      std::int32_t sum = 0;
      for (std::size_t p = 0; p < K; ++p)
        sum += A[i * K + p] * B[j * K + p];
      C[i * N + j] = sum;
    }
  }
}

} // namespace quantised
