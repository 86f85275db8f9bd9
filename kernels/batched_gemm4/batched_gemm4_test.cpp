#include "batched_gemm4.h"

#include "edge_buffer.h"
#include "guarded_buffer.h"

#include <algorithm>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectAllNear;
using testing_support::GuardedBuffer;
using testing_support::randomFloats;
using testing_support::randomIntegers;

constexpr int kLargest = 1000; // sums of four products are exact in every order
constexpr double kAbsolute = 2e-6;

/// Sums of outer products, in double.
std::vector<double> reference(const std::vector<float> &A, const std::vector<float> &B) {
  std::vector<double> C(A.size(), 0.0);
  for (std::size_t first = 0; first < A.size(); first += 16)
    for (std::size_t k = 0; k < 4; ++k)
      for (std::size_t at = 0; at < 16; ++at)
        C[first + at] += static_cast<double>(A[first + at / 4 * 4 + k]) * B[first + 4 * k + at % 4];
  return C;
}

void expectProducts(const std::vector<float> &A, const std::vector<float> &B, double absolute) {
  SCOPED_TRACE(testing::Message() << A.size() / 16 << " matrices");
  const std::vector<float> oldA = A, oldB = B;
  GuardedBuffer C(A.size());
  blas::batchedGemm4(A.data(), B.data(), C.data(), A.size() / 16);
  expectAllNear(C.data(), reference(oldA, oldB), absolute, 0);
  C.expectGuardsIntact();
  EXPECT_TRUE(A == oldA && B == oldB) << "the kernel changed an input";
}

TEST(BatchedGemm4, EverySmallCount) {
  for (std::size_t count = 0; count <= 40; ++count) {
    const auto seed = static_cast<unsigned>(2 * count);
    expectProducts(randomIntegers(16 * count, kLargest, seed + 1), randomIntegers(16 * count, kLargest, seed + 2), 0);
  }
}

TEST(BatchedGemm4, ManyMatrices) {
  for (std::size_t count : {63u, 65u, 257u, 1021u, 2048u}) {
    expectProducts(randomIntegers(16 * count, kLargest, 3), randomIntegers(16 * count, kLargest, 4), 0);
    expectProducts(randomFloats(16 * count, -1, 1, 5), randomFloats(16 * count, -1, 1, 6), kAbsolute);
  }
}

// Each element of A meets each of B: which pairs are multiplied, and where the product belongs.
TEST(BatchedGemm4, EveryPairOfElements) {
  std::vector<float> A, B;
  for (std::size_t a = 0; a < 16; ++a)
    for (std::size_t b = 0; b < 16; ++b)
      for (std::size_t at = 0; at < 16; ++at) {
        A.push_back(at == a ? 3.0f : 0.0f);
        B.push_back(at == b ? 5.0f : 0.0f);
      }
  expectProducts(A, B, 0);
}

// One matrix of infinities, anywhere: the others' products stay what they are.
TEST(BatchedGemm4, MatricesAreIndependent) {
  constexpr std::size_t kCount = 19;
  const auto B = randomIntegers(16 * kCount, kLargest, 7);
  for (std::size_t one = 0; one < kCount; ++one) {
    auto A = randomIntegers(16 * kCount, kLargest, 8);
    std::vector<double> expected = reference(A, B);
    std::fill_n(A.begin() + static_cast<std::ptrdiff_t>(16 * one), 16, std::numeric_limits<float>::infinity());
    GuardedBuffer C(16 * kCount);
    blas::batchedGemm4(A.data(), B.data(), C.data(), kCount);
    for (std::size_t i = 0; i < C.size(); ++i)
      ASSERT_TRUE(i / 16 == one ? !std::isfinite(C[i]) : C[i] == static_cast<float>(expected[i])) << one << ' ' << i;
  }
}

TEST(BatchedGemm4, Magnitudes) {
  for (float magnitude : {1e-12f, 1e-3f, 1e4f, 1e15f})
    expectProducts(randomFloats(16 * 37, -magnitude, magnitude, 9), randomFloats(16 * 37, -magnitude, magnitude, 10),
                   kAbsolute * magnitude * magnitude);
}

TEST(BatchedGemm4, StaysWithinItsOperands) {
  for (std::size_t count : {1u, 2u, 3u, 5u, 8u, 17u}) {
    const auto A = randomIntegers(16 * count, kLargest, 11), B = randomIntegers(16 * count, kLargest, 12);
    const EdgeBuffer<float> edgeA(A), edgeB(B);
    EdgeBuffer<float> C(16 * count);
    blas::batchedGemm4(edgeA.data(), edgeB.data(), C.data(), count);
    expectAllNear(C.data(), reference(A, B), 0, 0);
    C.expectNothingWrittenBefore();
  }
}

TEST(BatchedGemm4, AnyAlignment) {
  constexpr std::size_t kCount = 7;
  const auto A = randomIntegers(16 * kCount, kLargest, 13), B = randomIntegers(16 * kCount, kLargest, 14);
  for (std::size_t shift = 0; shift < 16; ++shift) {
    std::vector<float> shiftedA(16, 0.0f), shiftedB(16, 0.0f);
    shiftedA.insert(shiftedA.begin() + static_cast<std::ptrdiff_t>(shift), A.begin(), A.end());
    shiftedB.insert(shiftedB.begin() + static_cast<std::ptrdiff_t>(15 - shift), B.begin(), B.end());
    GuardedBuffer C(16 * kCount + 16);
    blas::batchedGemm4(shiftedA.data() + shift, shiftedB.data() + 15 - shift, C.data() + shift, kCount);
    expectAllNear(C.data() + shift, reference(A, B), 0, 0);
    ASSERT_TRUE((shift == 0 || std::isnan(C[shift - 1])) && std::isnan(C[shift + 16 * kCount])) << "written beside C";
  }
}

TEST(BatchedGemm4, SecondCallSeesNewContents) {
  auto A = randomIntegers(16 * 9, kLargest, 15), B = randomIntegers(16 * 9, kLargest, 16);
  GuardedBuffer C(16 * 9);
  blas::batchedGemm4(A.data(), B.data(), C.data(), 9);
  A.back() += 1.0f;
  B.front() -= 2.0f;
  blas::batchedGemm4(A.data(), B.data(), C.data(), 9);
  expectAllNear(C.data(), reference(A, B), 0, 0);
}

} // namespace
