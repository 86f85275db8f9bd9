#include "spmv_csr.h"

#include "edge_buffer.h"
#include "guarded_buffer.h"

#include <algorithm>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectAllNear;
using testing_support::GuardedBuffer;
using testing_support::randomFloats;
using testing_support::randomIntegers;

struct Matrix {
  std::vector<float> values;
  std::vector<std::uint32_t> columns, rowBegin{0};

  std::size_t rows() const { return rowBegin.size() - 1; }
};

/// Rows of the given lengths with random columns below `width`, in any order, and integer values: exact in any order of
/// summation.
Matrix randomMatrix(const std::vector<std::size_t> &lengths, std::size_t width, unsigned seed) {
  std::mt19937 engine(seed);
  Matrix matrix;
  for (std::size_t length : lengths) {
    for (std::size_t i = 0; i < length; ++i) {
      matrix.columns.push_back(static_cast<std::uint32_t>(engine() % width));
      matrix.values.push_back(static_cast<float>(static_cast<int>(engine() % 31) - 15));
    }
    matrix.rowBegin.push_back(static_cast<std::uint32_t>(matrix.columns.size()));
  }
  return matrix;
}

constexpr int kLargest = 15;

std::vector<std::size_t> randomLengths(std::size_t rows, std::size_t shortest, std::size_t longest, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<std::size_t> lengths(rows);
  for (std::size_t &length : lengths)
    length = shortest + engine() % (longest - shortest + 1);
  return lengths;
}

/// Element by element over the whole matrix, in double: the row of each is found by its position.
std::vector<double> reference(const Matrix &matrix, const std::vector<float> &x) {
  std::vector<double> y(matrix.rows(), 0.0);
  for (std::size_t k = matrix.rowBegin.front(); k < matrix.rowBegin.back(); ++k) {
    const auto next = std::upper_bound(matrix.rowBegin.begin(), matrix.rowBegin.end(), static_cast<std::uint32_t>(k));
    y[static_cast<std::size_t>(next - matrix.rowBegin.begin()) - 1] +=
        static_cast<double>(matrix.values[k]) * x[matrix.columns[k]];
  }
  return y;
}

void expectProduct(const Matrix &matrix, const std::vector<float> &x, double absolute = 0) {
  const Matrix old = matrix;
  const std::vector<float> oldX = x;
  GuardedBuffer y(matrix.rows());
  sparse::spmvCsr(matrix.values.data(), matrix.columns.data(), matrix.rowBegin.data(), x.data(), y.data(),
                  matrix.rows());
  expectAllNear(y.data(), reference(old, oldX), absolute, 0);
  y.expectGuardsIntact();
  EXPECT_TRUE(matrix.values == old.values && matrix.columns == old.columns && matrix.rowBegin == old.rowBegin &&
              std::memcmp(x.data(), oldX.data(), x.size() * sizeof(float)) == 0)
      << "the kernel changed an input";
}

// Every length of a row up to several vectors, alone and between other rows.
TEST(SpmvCsr, EveryRowLength) {
  const auto x = randomIntegers(97, kLargest, 1);
  std::vector<std::size_t> all;
  for (std::size_t length = 0; length <= 140; ++length) {
    SCOPED_TRACE(length);
    expectProduct(randomMatrix({length}, x.size(), 2), x);
    all.push_back(length);
  }
  expectProduct(randomMatrix(all, x.size(), 3), x);
}

TEST(SpmvCsr, EveryNumberOfRows) {
  const auto x = randomIntegers(53, kLargest, 4);
  for (std::size_t rows = 1; rows <= 70; ++rows) {
    SCOPED_TRACE(rows);
    expectProduct(randomMatrix(randomLengths(rows, 0, 9, static_cast<unsigned>(rows)), x.size(), 5), x);
  }
}

TEST(SpmvCsr, EmptyRows) {
  const auto x = randomIntegers(20, kLargest, 6);
  expectProduct(randomMatrix(std::vector<std::size_t>(37, 0), x.size(), 7), x);
  expectProduct(randomMatrix({0, 0, 5, 0, 17, 0, 0, 0, 33, 0}, x.size(), 8), x);
  expectProduct(randomMatrix({40, 0, 0, 1}, x.size(), 9), x);
}

TEST(SpmvCsr, LikeTheBenchmark) {
  const auto x = randomFloats(1500, -1, 1, 10);
  Matrix matrix = randomMatrix(randomLengths(1500, 20, 100, 11), x.size(), 12);
  expectProduct(matrix, randomIntegers(1500, kLargest, 13));
  matrix.values = randomFloats(matrix.values.size(), -1, 1, 14);
  expectProduct(matrix, x, 1e-4);
}

TEST(SpmvCsr, OneLongRowAmongShortOnes) {
  const auto x = randomIntegers(3000, kLargest, 15);
  expectProduct(randomMatrix({3, 0, 10000, 1, 2, 0, 61}, x.size(), 16), x);
}

// A column is 32 bits wide.
TEST(SpmvCsr, WideMatrix) {
  const auto x = randomIntegers(200003, kLargest, 17);
  expectProduct(randomMatrix(randomLengths(300, 0, 70, 18), x.size(), 19), x);
}

// Part of a larger matrix: what stands before its first row is not its own.
TEST(SpmvCsr, RowsNeedNotStartAtZero) {
  const auto x = randomIntegers(61, kLargest, 20);
  for (std::uint32_t skipped : {1u, 5u, 16u, 33u}) {
    Matrix matrix = randomMatrix({50, 7, 0, 31, 18}, x.size(), 21);
    matrix.rowBegin.front() = skipped;
    expectProduct(matrix, x);
    matrix.rowBegin.erase(matrix.rowBegin.begin());
    expectProduct(matrix, x);
  }
}

TEST(SpmvCsr, RepeatedColumnsAddUp) {
  const auto x = randomIntegers(5, kLargest, 22);
  expectProduct(randomMatrix({64, 65, 3, 200}, 1, 23), x);
  expectProduct(randomMatrix({64, 65, 3, 200}, 2, 24), x);
}

// Elements of x that no column names have no say, whatever they hold: a vector's unused lanes must not bring them in.
TEST(SpmvCsr, UnnamedElementsAreNotUsed) {
  auto x = randomIntegers(40, kLargest, 25);
  x[0] = x[39] = std::numeric_limits<float>::quiet_NaN();
  Matrix matrix = randomMatrix(randomLengths(60, 0, 40, 26), 38, 27);
  for (std::uint32_t &column : matrix.columns)
    ++column;
  expectProduct(matrix, x);
}

TEST(SpmvCsr, Magnitudes) {
  const Matrix pattern = randomMatrix(randomLengths(40, 1, 90, 28), 77, 29);
  for (float magnitude : {1e-12f, 1e-3f, 1e4f, 1e15f}) {
    SCOPED_TRACE(magnitude);
    Matrix matrix = pattern;
    matrix.values = randomFloats(pattern.values.size(), -magnitude, magnitude, 30);
    expectProduct(matrix, randomFloats(77, -magnitude, magnitude, 31), 1e-5 * magnitude * magnitude * 90);
  }
}

TEST(SpmvCsr, StaysWithinItsArrays) {
  for (std::size_t length : {1u, 7u, 15u, 16u, 17u, 33u, 100u}) {
    Matrix matrix = randomMatrix({length, 0, length + 3, length}, 23, 32);
    matrix.columns.back() = 22;
    const auto x = randomIntegers(23, kLargest, 33);
    const EdgeBuffer<float> values(matrix.values), edgeX(x);
    const EdgeBuffer<std::uint32_t> columns(matrix.columns), rowBegin(matrix.rowBegin);
    EdgeBuffer<float> y(matrix.rows());
    sparse::spmvCsr(values.data(), columns.data(), rowBegin.data(), edgeX.data(), y.data(), matrix.rows());
    expectAllNear(y.data(), reference(matrix, x), 0, 0);
    y.expectNothingWrittenBefore();
  }
}

TEST(SpmvCsr, NoRowsNoWrites) {
  const std::vector<std::uint32_t> rowBegin{0, 3};
  const std::vector<float> unused(8, 1.0f);
  GuardedBuffer y(16);
  sparse::spmvCsr(unused.data(), rowBegin.data(), rowBegin.data(), unused.data(), y.data(), 0);
  y.expectGuardsIntact();
  for (std::size_t i = 0; i < y.size(); ++i)
    ASSERT_TRUE(std::isnan(y[i])) << "element " << i << " was written";
}

// Same pointers, same sizes, other contents: an answer kept from the call before, or added to it, is wrong.
TEST(SpmvCsr, SecondCallSeesNewContents) {
  Matrix matrix = randomMatrix({20, 33, 0, 51}, 30, 34);
  auto x = randomIntegers(31, kLargest, 35);
  GuardedBuffer y(matrix.rows());
  const auto multiply = [&] {
    sparse::spmvCsr(matrix.values.data(), matrix.columns.data(), matrix.rowBegin.data(), x.data(), y.data(),
                    matrix.rows());
  };
  multiply();
  matrix.values.back() += 1.0f;
  matrix.columns.front() = 30;
  x[30] = 14.0f;
  multiply();
  expectAllNear(y.data(), reference(matrix, x), 0, 0);
}

} // namespace
