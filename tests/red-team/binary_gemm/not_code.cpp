// expect: rejected
// trick: Not C++ at all (catalogue 57)
// layers: check compile
Here is the optimised kernel you asked for:

void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      float sums[32] = {};
      for (std::size_t p = 0; p < K; ++p) {
        const std::uint32_t word = B[p * (K / 32) + j / 32];
        const float a = A[i * K + p];
        for (unsigned bit = 0; bit < 32; ++bit)
          sums[bit] += (word >> bit) & 1u ? a : -a;
      }
      for (unsigned bit = 0; bit < 32; ++bit)
        C[i * K + j + bit] = sums[bit];
    }
  }
}
