void spectral_mul_accum_kernel(const spx_word16_t *X, const spx_word32_t *Y, spx_word16_t *acc, int N, int M) {
  for (int i = 0; i < N; ++i)
    acc[i] = 0;
  for (int j = 0; j < M; ++j) {
    const spx_word16_t *x = X + j * N;
    const spx_word32_t *y = Y + j * N;
    acc[0] += x[0] * y[0];
    int i = 1;
    for (; i < N - 1; i += 2) {
      acc[i] += x[i] * y[i] - x[i + 1] * y[i + 1];
      acc[i + 1] += x[i + 1] * y[i] + x[i] * y[i + 1];
    }
    acc[i] += x[i] * y[i];
  }
}
