#include "binary_gemm.h"

#include "guarded_buffer.h"

#include <array>

namespace {

using testing_support::expectAllNear;
using testing_support::GuardedBuffer;
using testing_support::randomFloats;

constexpr double kTolerance = 0.01;

std::vector<std::uint32_t> randomWords(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<std::uint32_t> words(count);
  for (std::uint32_t &word : words)
    word = static_cast<std::uint32_t>(engine());
  return words;
}

/// The eight bits B(p..p+7, j) as one byte, for every group of eight rows and every column.
std::vector<std::uint8_t> columnBytes(const std::vector<std::uint32_t> &B, std::size_t K) {
  std::vector<std::uint8_t> bytes(K / 8 * K, 0);
  for (std::size_t p = 0; p < K; ++p)
    for (std::size_t j = 0; j < K; ++j)
      bytes[p / 8 * K + j] |= static_cast<std::uint8_t>(((B[p * (K / 32) + j / 32] >> (j % 32)) & 1u) << (p % 8));
  return bytes;
}

/// The product in double by the method of four Russians: another algorithm than any kernel's, and fast enough to check
/// every element of the large shape.
std::vector<double> reference(const std::vector<float> &A, const std::vector<std::uint32_t> &B, std::size_t M,
                              std::size_t K) {
  const std::vector<std::uint8_t> bytes = columnBytes(B, K);
  std::vector<double> C(M * K, 0.0);
  for (std::size_t i = 0; i < M; ++i) {
    for (std::size_t group = 0; group < K / 8; ++group) {
      const float *a = &A[i * K + group * 8];
      std::array<double, 256> sums{};
      for (int bit = 0; bit < 8; ++bit)
        sums[0] -= a[bit];
      for (unsigned set = 1; set < 256; ++set)
        sums[set] = sums[set & (set - 1)] + 2.0 * a[__builtin_ctz(set)];
      const std::uint8_t *byte = &bytes[group * K];
      for (std::size_t j = 0; j < K; ++j)
        C[i * K + j] += sums[byte[j]];
    }
  }
  return C;
}

void expectProduct(const std::vector<float> &A, const std::vector<std::uint32_t> &B, std::size_t M, std::size_t K) {
  const std::vector<float> oldA = A;
  const std::vector<std::uint32_t> oldB = B;
  GuardedBuffer C(M * K);
  bmm::matmul(A.data(), B.data(), C.data(), M, K);
  expectAllNear(C.data(), reference(oldA, oldB, M, K), kTolerance, 0);
  C.expectGuardsIntact();
  EXPECT_TRUE(A == oldA && B == oldB) << "the kernel changed an input";
}

class Shapes : public testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {};

TEST_P(Shapes, RandomMatrices) {
  const auto [M, K] = GetParam();
  for (unsigned seed : {1u, 2u}) {
    const unsigned mixed = seed * 7919u + static_cast<unsigned>(M * 31 + K);
    expectProduct(randomFloats(M * K, -5, 5, mixed), randomWords(K * K / 32, mixed + 1), M, K);
  }
}

INSTANTIATE_TEST_SUITE_P(BinaryGemm, Shapes,
                         testing::Combine(testing::Values(1, 3, 5, 8, 32, 33), testing::Values(32, 96, 256)),
                         [](const auto &info) {
                           return "M" + std::to_string(std::get<0>(info.param)) + "_K" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST(BinaryGemm, UniformSigns) {
  constexpr std::size_t M = 5, K = 96;
  const auto A = randomFloats(M * K, -5, 5, 11);
  expectProduct(A, std::vector<std::uint32_t>(K * K / 32, 0u), M, K);
  expectProduct(A, std::vector<std::uint32_t>(K * K / 32, ~0u), M, K);
}

// Row i of A picks row i of B: every bit of B decides exactly one element, so a wrong bit order shows as such.
TEST(BinaryGemm, EachBitDecidesItsElement) {
  constexpr std::size_t K = 96;
  std::vector<float> A(K * K, 0.0f);
  for (std::size_t i = 0; i < K; ++i)
    A[i * K + i] = 1.0f + static_cast<float>(i) / 32;
  expectProduct(A, randomWords(K * K / 32, 12), K, K);
}

// Same pointers, same sizes, other contents: an answer kept from the call before is wrong.
TEST(BinaryGemm, SecondCallSeesNewContents) {
  constexpr std::size_t M = 3, K = 96;
  auto A = randomFloats(M * K, -5, 5, 13);
  auto B = randomWords(K * K / 32, 14);
  GuardedBuffer C(M * K);
  bmm::matmul(A.data(), B.data(), C.data(), M, K);
  A[M * K - 1] = -A[M * K - 1] + 1.0f;
  B[0] = ~B[0];
  C.clear();
  bmm::matmul(A.data(), B.data(), C.data(), M, K);
  expectAllNear(C.data(), reference(A, B, M, K), kTolerance, 0);
}

TEST(BinaryGemm, NoRowsNoWrites) {
  const auto B = randomWords(32, 15);
  const float unused = 0;
  GuardedBuffer C(32);
  bmm::matmul(&unused, B.data(), C.data(), 0, 32);
  C.expectGuardsIntact();
  for (std::size_t i = 0; i < C.size(); ++i)
    ASSERT_TRUE(std::isnan(C[i])) << "element " << i << " was written";
}

TEST(BinaryGemm, LargeShape) {
  constexpr std::size_t M = 32, K = 3072;
  expectProduct(randomFloats(M * K, -5, 5, 16), randomWords(K * K / 32, 17), M, K);
}

} // namespace
