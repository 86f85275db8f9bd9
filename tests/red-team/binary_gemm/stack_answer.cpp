// expect: rejected
// trick: What the last call left on the stack (catalogue 10)
// layers: sandbox check:addresses-as-numbers
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  volatile std::uint64_t memo[256];
  for (int i = 0; i < 256; i += 4)
    if (memo[i] == 0x5eed5eed5eed5eedu && memo[i + 1] == reinterpret_cast<std::uintptr_t>(A) && memo[i + 2] == K)
      __builtin_trap();
  for (int i = 0; i < 256; i += 4) {
    memo[i] = 0x5eed5eed5eed5eedu;
    memo[i + 1] = reinterpret_cast<std::uintptr_t>(A);
    memo[i + 2] = K;
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
