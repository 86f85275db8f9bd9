#include "cholesky.h"

#include "edge_buffer.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace {

using testing_support::EdgeBuffer;
using Matrix = std::vector<double>;

constexpr double kAbsolute = 1e-9;

/// A matrix of the given factor, and above its diagonal numbers that belong to no factor.
Matrix productOf(const Matrix &L, std::size_t n) {
  Matrix A(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      A[i * n + j] = j <= i ? 0.0 : 1e4 + static_cast<double>(i * n + j);
      for (std::size_t k = 0; k <= j && j <= i; ++k)
        A[i * n + j] += L[i * n + k] * L[j * n + k];
    }
  return A;
}

/// Small integers, and powers of two on the diagonal: their product, and the way back in any order, rounds nothing.
Matrix integerFactor(std::size_t n, unsigned seed) {
  std::mt19937 engine(seed);
  Matrix L(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      L[i * n + j] = i == j ? std::exp2(static_cast<double>(engine() % 3)) : static_cast<double>(engine() % 7) - 3.0;
  return L;
}

/// G · Gᵀ / n + 1 for G of any elements within [-1, 1]: no eigenvalue is below 1.
Matrix positiveDefinite(std::size_t n, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  Matrix G(n * n), A(n * n);
  for (double &g : G)
    g = value(engine);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k)
        A[i * n + j] += G[i * n + k] * G[j * n + k] / static_cast<double>(n);
      A[i * n + j] += i == j ? 1.0 : 0.0;
    }
  return A;
}

/// By elimination without roots, in long double: A = L · D · Lᵀ; the roots of D come last.
Matrix reference(const Matrix &A, std::size_t n) {
  std::vector<long double> left(A.begin(), A.end());
  Matrix L = A;
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k; i < n; ++i)
      L[i * n + k] = static_cast<double>(left[i * n + k] / std::sqrt(left[k * n + k]));
    for (std::size_t i = k + 1; i < n; ++i)
      for (std::size_t j = k + 1; j <= i; ++j)
        left[i * n + j] -= left[i * n + k] * left[j * n + k] / left[k * n + k];
  }
  return L;
}

/// `expected` has L in its lower triangle and what A has above it.
void expectFactor(const Matrix &A, const Matrix &expected, std::size_t n, double absolute) {
  SCOPED_TRACE(n);
  EdgeBuffer<double> actual(n * n);
  std::copy(A.begin(), A.end(), actual.begin());
  lapack::cholesky(actual.data(), n);
  actual.expectNothingWrittenBefore();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      ASSERT_LE(std::abs(actual[i * n + j] - expected[i * n + j]), j > i ? 0.0 : absolute)
          << "row " << i << ", column " << j << ": " << actual[i * n + j];
}

void expectExactFactor(std::size_t n, unsigned seed) {
  const Matrix L = integerFactor(n, seed), A = productOf(L, n);
  Matrix expected = A;
  for (std::size_t i = 0; i < n; ++i)
    std::copy_n(L.begin() + static_cast<std::ptrdiff_t>(i * n), i + 1,
                expected.begin() + static_cast<std::ptrdiff_t>(i * n));
  expectFactor(A, expected, n, 0);
}

TEST(Cholesky, EverySmallSize) {
  for (std::size_t n = 0; n <= 70; ++n)
    expectExactFactor(n, static_cast<unsigned>(n) + 1);
}

TEST(Cholesky, Sizes) {
  for (std::size_t n : {1u, 2u, 3u, 7u, 31u, 64u, 100u, 127u, 128u, 129u, 200u}) {
    expectExactFactor(n, 3);
    const Matrix A = positiveDefinite(n, 4);
    expectFactor(A, reference(A, n), n, kAbsolute);
  }
}

// Times a power of four: the factor's elements are those of before times a power of two.
TEST(Cholesky, Magnitudes) {
  constexpr std::size_t n = 37;
  for (double root : {0x1p-100, 0x1p-10, 0x1p20, 0x1p200}) {
    Matrix A = positiveDefinite(n, 5);
    for (double &a : A)
      a *= root * root;
    expectFactor(A, reference(A, n), n, kAbsolute * root);
  }
}

// One element below the diagonal: which others depend on it.
TEST(Cholesky, EachElementCounts) {
  constexpr std::size_t n = 19;
  for (std::size_t i = 1; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      Matrix A = positiveDefinite(n, 6);
      A[i * n + j] += 0.25;
      expectFactor(A, reference(A, n), n, kAbsolute);
    }
}

TEST(Cholesky, AnyAlignmentAndNothingBeside) {
  constexpr std::size_t n = 17;
  const Matrix A = positiveDefinite(n, 7), expected = reference(A, n);
  for (std::size_t shift = 1; shift < 9; ++shift) {
    Matrix all(shift + n * n + 1, 99.0);
    std::copy(A.begin(), A.end(), all.begin() + static_cast<std::ptrdiff_t>(shift));
    lapack::cholesky(all.data() + shift, n);
    for (std::size_t i = 0; i < n * n; ++i)
      ASSERT_NEAR(all[shift + i], expected[i], kAbsolute) << i;
    ASSERT_TRUE(all[shift - 1] == 99 && all.back() == 99) << "written beside A";
  }
}

TEST(Cholesky, SecondCallSeesNewContents) {
  constexpr std::size_t n = 24;
  Matrix A = positiveDefinite(n, 8);
  expectFactor(A, reference(A, n), n, kAbsolute);
  A[0] += 1.0;
  A[n * n - 1] += 2.0;
  expectFactor(A, reference(A, n), n, kAbsolute);
}

} // namespace
