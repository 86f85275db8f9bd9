// expect: valid
// style: Other parameter names, __restrict and const parameters
void matmul(const float *__restrict left, const uint32_t *__restrict signs, float *__restrict result, const size_t M,
            const size_t K) {
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t j = 0; j < K; j += 32) {
      float sums[32] = {};
      for (std::size_t p = 0; p < K; ++p) {
        const std::uint32_t word = signs[p * (K / 32) + j / 32];
        const float a = left[i * K + p];
        for (unsigned bit = 0; bit < 32; ++bit)
          sums[bit] += (word >> bit) & 1u ? a : -a;
      }
      for (unsigned bit = 0; bit < 32; ++bit)
        result[i * K + j + bit] = sums[bit];
    }
  }
}
