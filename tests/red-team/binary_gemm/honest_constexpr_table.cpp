// expect: valid
// style: Constant tables, at namespace scope and in the function
constexpr float signs[2] = {-1.0f, 1.0f};
static const unsigned width = 32;

void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  static constexpr unsigned offsets[2] = {0, 16};
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      float sums[32] = {};
      for (std::size_t p = 0; p < K; ++p) {
        const std::uint32_t word = B[p * (K / 32) + j / 32];
        const float a = A[i * K + p];
        for (unsigned offset : offsets)
          for (unsigned bit = offset; bit < offset + width / 2; ++bit)
            sums[bit] += a * signs[(word >> bit) & 1u];
      }
      for (unsigned bit = 0; bit < 32; ++bit)
        C[i * K + j + bit] = sums[bit];
    }
  }
}
