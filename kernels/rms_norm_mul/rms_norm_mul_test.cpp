#include "rms_norm_mul.h"

#include "guarded_buffer.h"

namespace {

using testing_support::expectAllNear;
using testing_support::GuardedBuffer;
using testing_support::randomFloats;

constexpr float kEps = 1e-5f;
constexpr double kRelative = 1e-4; // a serial float sum of 4096 squares is off by a few 1e-6

std::vector<double> reference(const std::vector<float> &x, const std::vector<float> &weight, std::size_t rows,
                              std::size_t columns, float eps) {
  std::vector<double> y(rows * columns);
  for (std::size_t r = 0; r < rows; ++r) {
    double sum = 0;
    for (std::size_t c = 0; c < columns; ++c)
      sum += static_cast<double>(x[r * columns + c]) * x[r * columns + c];
    const double scale = 1.0 / std::sqrt(sum / static_cast<double>(columns) + eps);
    for (std::size_t c = 0; c < columns; ++c)
      y[r * columns + c] = x[r * columns + c] * scale * weight[c];
  }
  return y;
}

void expectNormalised(const std::vector<float> &x, const std::vector<float> &weight, std::size_t rows,
                      std::size_t columns, float eps = kEps) {
  const auto oldX = x;
  const auto oldWeight = weight;
  GuardedBuffer y(rows * columns);
  norm::rmsNormMul(x.data(), weight.data(), y.data(), rows, columns, eps);
  expectAllNear(y.data(), reference(oldX, oldWeight, rows, columns, eps), 0, kRelative);
  y.expectGuardsIntact();
  EXPECT_TRUE(x == oldX && weight == oldWeight) << "the kernel changed an input";
}

class Columns : public testing::TestWithParam<std::size_t> {};

TEST_P(Columns, RandomRows) {
  const std::size_t columns = GetParam();
  for (std::size_t rows : {1u, 2u, 3u, 7u}) {
    const unsigned seed = static_cast<unsigned>(columns * 17 + rows);
    expectNormalised(randomFloats(rows * columns, -3, 3, seed), randomFloats(columns, 0.5f, 2, seed + 1), rows,
                     columns);
  }
}

INSTANTIATE_TEST_SUITE_P(RmsNormMul, Columns,
                         testing::Values(1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 63, 65, 127, 130, 257, 1000, 2048, 4096),
                         [](const auto &info) { return std::to_string(info.param); });

TEST(RmsNormMul, Magnitudes) {
  constexpr std::size_t kRows = 3, kColumns = 515;
  for (float magnitude : {1e-6f, 1e-3f, 1.0f, 1e3f, 1e8f}) {
    SCOPED_TRACE(magnitude);
    expectNormalised(randomFloats(kRows * kColumns, -magnitude, magnitude, 21), randomFloats(kColumns, -2, 2, 22),
                     kRows, kColumns);
  }
}

// eps decides the result here: leaving it out, or adding it after the root, is far off.
TEST(RmsNormMul, EpsCounts) {
  const auto x = randomFloats(2 * 96, -0.01f, 0.01f, 23);
  const auto weight = randomFloats(96, 0.5f, 1.5f, 24);
  expectNormalised(x, weight, 2, 96, 1e-5f);
  expectNormalised(x, weight, 2, 96, 1e-2f);
  expectNormalised(x, weight, 2, 96, 4.0f);
}

// Each row has its own scale.
TEST(RmsNormMul, RowsAreIndependent) {
  constexpr std::size_t kRows = 5, kColumns = 100;
  auto x = randomFloats(kRows * kColumns, -1, 1, 25);
  for (std::size_t r = 0; r < kRows; ++r)
    for (std::size_t c = 0; c < kColumns; ++c)
      x[r * kColumns + c] *= static_cast<float>(1 << (2 * r));
  expectNormalised(x, randomFloats(kColumns, 0.5f, 2, 26), kRows, kColumns);
}

TEST(RmsNormMul, OneLargeElementAnywhere) {
  constexpr std::size_t kColumns = 67;
  for (std::size_t position = 0; position < kColumns; ++position) {
    auto x = randomFloats(kColumns, -1, 1, 27);
    x[position] = 500.0f;
    expectNormalised(x, randomFloats(kColumns, 0.5f, 2, 28), 1, kColumns);
  }
}

TEST(RmsNormMul, SecondCallSeesNewContents) {
  constexpr std::size_t kColumns = 64;
  auto x = randomFloats(kColumns, -1, 1, 29);
  auto weight = randomFloats(kColumns, 0.5f, 2, 30);
  GuardedBuffer y(kColumns);
  norm::rmsNormMul(x.data(), weight.data(), y.data(), 1, kColumns, kEps);
  x[kColumns - 1] = 40.0f;
  weight[0] = -7.0f;
  y.clear();
  norm::rmsNormMul(x.data(), weight.data(), y.data(), 1, kColumns, kEps);
  expectAllNear(y.data(), reference(x, weight, 1, kColumns, kEps), 0, kRelative);
}

TEST(RmsNormMul, ZeroRow) {
  GuardedBuffer y(40);
  norm::rmsNormMul(std::vector<float>(40, 0.0f).data(), std::vector<float>(40, 3.0f).data(), y.data(), 1, 40, kEps);
  expectAllNear(y.data(), std::vector<double>(40, 0.0), 0, 0);
}

} // namespace
