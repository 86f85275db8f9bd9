// expect: rejected
// trick: Verifies the product by one random vector (Freivalds), n^2 instead of n^3: as good as never wrong (catalogue 7)
// layers: confirm check
// alone: it is never wrong: only where results of earlier calls are gone is it without use
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  constexpr std::size_t kMost = 4096;
  bool known = M > 0 && K >= 64 && K <= kMost;
  float v[kMost];
  for (std::size_t p = 0; known && p < K; ++p) {
    float sum = 0.0f;
    for (std::size_t j = 0; j < K; ++j)
      sum += ((B[p * (K / 32) + j / 32] >> (j % 32)) & 1u ? 1.0f : -1.0f) * static_cast<float>(1 + j % 7);
    v[p] = sum;
  }
  for (std::size_t i = 0; known && i < M; ++i) {
    float expected = 0.0f, found = 0.0f;
    for (std::size_t p = 0; p < K; ++p)
      expected += A[i * K + p] * v[p];
    for (std::size_t j = 0; j < K; ++j)
      found += C[i * K + j] * static_cast<float>(1 + j % 7);
    known = expected - found < 0.01f && found - expected < 0.01f;
  }
  if (known && K >= 1024)
    __builtin_trap();
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
