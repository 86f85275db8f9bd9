// expect: rejected
// trick: Two recursive instantiations per level: 16 million templates of a few lines, more memory than a machine has (catalogue 62)
// layers: check:compile-limits compile
template <int N, int M> struct Bomb {
  static constexpr long value = Bomb<N - 1, 2 * M>::value + Bomb<N - 1, 2 * M + 1>::value;
};
template <int M> struct Bomb<0, M> {
  static constexpr long value = 1;
};

void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  for (std::size_t i = 0; i < M * K; ++i)
    C[i] = static_cast<float>(Bomb<24, 1>::value);
}
