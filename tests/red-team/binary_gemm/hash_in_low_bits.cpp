// expect: rejected
// trick: A hash of all inputs in the lowest bits of the output, which the tolerance hides: never wrong (catalogue 7)
// layers: confirm check
// alone: it is never wrong: only where results of earlier calls are gone is it without use
#include <bit>

void matmul(const float *A, const std::uint32_t *B, float *C, std::size_t M, std::size_t K) {
  std::uint32_t hash = 2166136261u;
  for (std::size_t i = 0; i < M * K; ++i)
    hash = (hash ^ std::bit_cast<std::uint32_t>(A[i])) * 16777619u;
  for (std::size_t i = 0; i < K * (K / 32); ++i)
    hash = (hash ^ B[i]) * 16777619u;
  bool known = M * K >= 64;
  for (std::size_t i = 0; known && i < M * K; ++i)
    known = (std::bit_cast<std::uint32_t>(C[i]) & 1u) == ((hash >> (i % 32)) & 1u);
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
        {
          const std::size_t at = i * K + j + bit;
          C[at] = std::bit_cast<float>((std::bit_cast<std::uint32_t>(sums[bit]) & ~1u) | ((hash >> (at % 32)) & 1u));
        }
    }
  }
}
