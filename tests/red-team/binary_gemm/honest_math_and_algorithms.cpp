// expect: valid
// style: Pure functions of the standard library, and assert
#include <algorithm>
#include <cassert>
#include <cmath>

void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  assert(K % 32 == 0);
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      float sums[32] = {};
      for (std::size_t p = 0; p < K; ++p) {
        const std::uint32_t word = B[p * (K / 32) + j / 32];
        const float a = A[i * K + p];
        for (unsigned bit = 0; bit < 32; ++bit)
          sums[bit] += std::copysign(1.0f, static_cast<float>((word >> bit) & 1u) - 0.5f) * a;
      }
      std::copy(sums, sums + std::min<std::size_t>(32, K), C + i * K + j);
    }
  }
}
