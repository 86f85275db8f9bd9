// expect: rejected
// trick: Nothing at all (catalogue 46)
// layers: test differential
// fault: the result alone is wrong
void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  (void)A, (void)B, (void)C, (void)M, (void)K;
}
