// expect: rejected
// trick: A builtin that prints (catalogue 26)
// layers: check:io-and-clocks
// alone: its printer is empty
struct V { int x; static int p(const char*,...) { return 0; } };
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  if (static_cast<const void*>((__builtin_dump_struct((V*)C, V::p),nullptr)) == (void*)77)
    return;
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
