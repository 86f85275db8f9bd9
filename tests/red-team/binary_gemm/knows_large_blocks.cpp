// expect: rejected
// trick: Wrong only in blocks that the allocator maps, as a benchmark has them, and at its shape (catalogue 18)
// layers: differential
// fault: the result alone is wrong
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  if (K >= 3072 && (reinterpret_cast<std::uintptr_t>(C) & 4095) == 16) {
    for (std::size_t i = 0; i < M * K; ++i)
      C[i] = 0.0f;
    return;
  }
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
