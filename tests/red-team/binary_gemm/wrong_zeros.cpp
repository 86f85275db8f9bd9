// expect: rejected
// trick: Zeros as output (catalogue 43)
// layers: test differential
// fault: the result alone is wrong
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  for (std::size_t i = 0; i < M * K; ++i)
    C[i] = 0.0f * A[0] * static_cast<float>(B[0] & 1u);
}
