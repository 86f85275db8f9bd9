#include "sgemm.h"

#ifndef AGENTIC_KERNEL
#define AGENTIC_KERNEL
#endif

namespace blas {

AGENTIC_KERNEL
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
