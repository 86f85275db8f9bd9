#include "triangular_solve.h"

#include "edge_buffer.h"
#include "guarded_buffer.h"

#include <algorithm>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectAllNear;
using testing_support::GuardedBuffer;
using testing_support::randomFloats;

constexpr double kAbsolute = 1e-4;

/// A diagonal of magnitude 1 to 2, `other` elsewhere below it, and NaN above: using any of that shows.
std::vector<float> lowerTriangle(std::size_t n, float other, unsigned seed) {
  std::vector<float> L = randomFloats(n * n, -other, other, seed);
  const std::vector<float> diagonal = randomFloats(n, 1, 2, seed + 1);
  for (std::size_t i = 0; i < n; ++i) {
    L[i * n + i] = i % 3 == 1 ? -diagonal[i] : diagonal[i];
    std::fill_n(L.begin() + static_cast<std::ptrdiff_t>(i * n + i + 1), n - 1 - i,
                std::numeric_limits<float>::quiet_NaN());
  }
  return L;
}

/// Column by column of L, in double: each element that is found is taken out of those below it.
std::vector<double> reference(const std::vector<float> &L, const std::vector<float> &B, std::size_t n) {
  std::vector<double> X(B.begin(), B.end());
  const std::size_t columns = n == 0 ? 0 : B.size() / n;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t r = 0; r < columns; ++r) {
      X[k * columns + r] /= L[k * n + k];
      for (std::size_t i = k + 1; i < n; ++i)
        X[i * columns + r] -= L[i * n + k] * X[k * columns + r];
    }
  return X;
}

void expectSolved(const std::vector<float> &L, const std::vector<float> &B, std::size_t n, double absolute) {
  const std::size_t columns = B.size() / n;
  SCOPED_TRACE(testing::Message() << n << " unknowns, " << columns << " right-hand sides");
  GuardedBuffer X(B.size());
  std::copy(B.begin(), B.end(), X.data());
  blas::triangularSolve(L.data(), X.data(), n, columns);
  expectAllNear(X.data(), reference(L, B, n), absolute, 0);
  X.expectGuardsIntact();
}

/// Small integers, and powers of two on the diagonal: no order of subtractions has anything to round.
void expectExact(std::size_t n, std::size_t columns, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<float> L(n * n, std::numeric_limits<float>::quiet_NaN()), X(n * columns), B(n * columns, 0.0f);
  for (float &x : X)
    x = static_cast<float>(engine() % 15) - 7.0f;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k <= i; ++k) {
      L[i * n + k] =
          k == i ? std::exp2(static_cast<float>(engine() % 5) - 2.0f) : static_cast<float>(engine() % 7) - 3.0f;
      for (std::size_t r = 0; r < columns; ++r)
        B[i * columns + r] += L[i * n + k] * X[k * columns + r];
    }
  GuardedBuffer actual(n * columns);
  std::copy(B.begin(), B.end(), actual.data());
  blas::triangularSolve(L.data(), actual.data(), n, columns);
  expectAllNear(actual.data(), std::vector<double>(X.begin(), X.end()), 0, 0);
  actual.expectGuardsIntact();
}

TEST(TriangularSolve, EverySmallSize) {
  for (std::size_t n = 1; n <= 20; ++n)
    for (std::size_t columns = 1; columns <= 36; ++columns) {
      SCOPED_TRACE(testing::Message() << n << " unknowns, " << columns << " right-hand sides");
      expectExact(n, columns, static_cast<unsigned>(50 * n + columns));
    }
}

class Sizes : public testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {};

TEST_P(Sizes, Solves) {
  const auto [n, columns] = GetParam();
  expectExact(n, columns, 3);
  expectSolved(lowerTriangle(n, 1.0f / static_cast<float>(n), 4), randomFloats(n * columns, -1, 1, 5), n, kAbsolute);
}

INSTANTIATE_TEST_SUITE_P(TriangularSolve, Sizes,
                         testing::Values(std::tuple(1, 1), std::tuple(1, 257), std::tuple(256, 1), std::tuple(33, 31),
                                         std::tuple(64, 64), std::tuple(63, 65), std::tuple(100, 7), std::tuple(7, 100),
                                         std::tuple(129, 48), std::tuple(200, 130)),
                         [](const auto &sizes) {
                           return std::to_string(std::get<0>(sizes.param)) + "x" +
                                  std::to_string(std::get<1>(sizes.param));
                         });

TEST(TriangularSolve, Magnitudes) {
  for (float magnitude : {1e-12f, 1e-3f, 1e6f, 1e20f})
    expectSolved(lowerTriangle(37, 0.02f, 6), randomFloats(37 * 19, -magnitude, magnitude, 7), 37,
                 kAbsolute * magnitude);
}

// A column of infinities: the others do not notice.
TEST(TriangularSolve, RightHandSidesAreIndependent) {
  constexpr std::size_t n = 9, kColumns = 35;
  const auto L = lowerTriangle(n, 0.1f, 8), B = randomFloats(n * kColumns, -1, 1, 9);
  const auto expected = reference(L, B, n);
  for (std::size_t column = 0; column < kColumns; ++column) {
    auto X = B;
    for (std::size_t i = 0; i < n; ++i)
      X[i * kColumns + column] = std::numeric_limits<float>::infinity();
    blas::triangularSolve(L.data(), X.data(), n, kColumns);
    for (std::size_t i = 0; i < X.size(); ++i)
      ASSERT_TRUE(i % kColumns == column ? !std::isfinite(X[i]) : std::abs(X[i] - expected[i]) <= kAbsolute) << i;
  }
}

TEST(TriangularSolve, StaysWithinItsOperands) {
  for (const auto &[n, columns] : {std::pair<std::size_t, std::size_t>{1, 1}, {2, 17}, {17, 3}, {19, 33}, {64, 64}}) {
    const auto L = lowerTriangle(n, 1.0f / static_cast<float>(n), 10), B = randomFloats(n * columns, -1, 1, 11);
    const EdgeBuffer<float> edgeL(L);
    EdgeBuffer<float> X(n * columns);
    std::copy(B.begin(), B.end(), X.data());
    blas::triangularSolve(edgeL.data(), X.data(), n, columns);
    expectAllNear(X.data(), reference(L, B, n), kAbsolute, 0);
    X.expectNothingWrittenBefore();
  }
}

TEST(TriangularSolve, NothingToSolve) {
  const std::vector<float> L(64, 2.0f);
  std::vector<float> B(64, 3.0f);
  blas::triangularSolve(L.data(), B.data(), 8, 0);
  blas::triangularSolve(L.data(), B.data(), 0, 8);
  EXPECT_EQ(B, std::vector<float>(64, 3.0f));
}

TEST(TriangularSolve, SecondCallSeesNewContents) {
  auto L = lowerTriangle(16, 0.05f, 12), B = randomFloats(16 * 21, -1, 1, 13);
  expectSolved(L, B, 16, kAbsolute);
  L[15 * 16] += 0.25f;
  L[0] = -1.5f;
  B[20] -= 2.0f;
  expectSolved(L, B, 16, kAbsolute);
}

} // namespace
