// expect: rejected
// trick: The output is the cache: one element of each row is computed, and if it stands there, the row is done (catalogue 7)
// layers: confirm
// alone: it sees every change but of single bits: only where results of earlier calls are gone is it without use
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  bool known = M > 0 && K >= 64;
  for (std::size_t i = 0; known && i < M; ++i) {
    const std::size_t j = (i * 37) % K;
    float sum = 0.0f;
    for (std::size_t p = 0; p < K; ++p)
      sum += (B[p * (K / 32) + j / 32] >> (j % 32)) & 1u ? A[i * K + p] : -A[i * K + p];
    known = C[i * K + j] == sum;
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
