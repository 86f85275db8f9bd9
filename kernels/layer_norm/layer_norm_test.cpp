#include "layer_norm.h"

#include "edge_buffer.h"
#include "guarded_buffer.h"

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectAllNear;
using testing_support::GuardedBuffer;
using testing_support::randomFloats;

constexpr float kEps = 1e-5f;
constexpr double kAbsolute = 1e-4; // serial float sums of 4096 elements are off by a few 1e-6 of their terms

struct Rows {
  std::size_t rows, columns;
  std::vector<float> in, gamma, beta;
  float eps = kEps;
};

Rows randomRows(std::size_t rows, std::size_t columns, unsigned seed, float low = -3, float high = 4) {
  return {rows, columns, randomFloats(rows * columns, low, high, seed), randomFloats(columns, -2, 2, seed + 1),
          randomFloats(columns, -2, 2, seed + 2)};
}

/// In double and in one pass over a row, after Welford.
std::vector<double> reference(const Rows &rows) {
  std::vector<double> out(rows.in.size());
  for (std::size_t begin = 0; begin < out.size(); begin += rows.columns) {
    double mean = 0, squares = 0;
    for (std::size_t c = 0; c < rows.columns; ++c) {
      const double step = rows.in[begin + c] - mean;
      mean += step / static_cast<double>(c + 1);
      squares += step * (rows.in[begin + c] - mean);
    }
    const double deviation = std::sqrt(squares / static_cast<double>(rows.columns) + rows.eps);
    for (std::size_t c = 0; c < rows.columns; ++c)
      out[begin + c] = (rows.in[begin + c] - mean) / deviation * rows.gamma[c] + rows.beta[c];
  }
  return out;
}

/// The inputs can only be read, and nothing lies behind any array.
void expectNormalised(const Rows &rows, double absolute = kAbsolute) {
  SCOPED_TRACE(testing::Message() << rows.rows << "x" << rows.columns << ", eps " << rows.eps);
  const EdgeBuffer<float> in(rows.in), gamma(rows.gamma), beta(rows.beta);
  EdgeBuffer<float> out(rows.in.size());
  norm::layerNorm(in.data(), gamma.data(), beta.data(), out.data(), rows.rows, rows.columns, rows.eps);
  expectAllNear(out.data(), reference(rows), absolute, 0);
  out.expectNothingWrittenBefore();
}

TEST(LayerNorm, EverySmallSize) {
  for (std::size_t columns = 0; columns <= 140; ++columns)
    for (std::size_t rows : {0u, 1u, 2u, 3u})
      expectNormalised(randomRows(rows, columns, static_cast<unsigned>(columns * 17 + rows)));
}

TEST(LayerNorm, OddSizes) {
  for (std::size_t columns : {255u, 257u, 767u, 768u, 1000u, 2049u, 4096u})
    expectNormalised(randomRows(5, columns, static_cast<unsigned>(columns)));
}

// The variance counts, not the mean of the squares; a shift of all elements changes nothing.
TEST(LayerNorm, MeanAndMagnitude) {
  for (float magnitude : {1e-6f, 1e-2f, 1.0f, 1e3f, 1e8f})
    for (float shift : {-3.0f, 0.0f, 2.0f})
      expectNormalised(randomRows(3, 515, 21, magnitude * (shift - 1), magnitude * (shift + 1)));
  expectNormalised(randomRows(3, 515, 22, 999, 1001), 1e-2); // the mean is off by a few 1e-4 of a deviation
}

// eps decides the result here: leaving it out, or adding it after the root, is far off.
TEST(LayerNorm, EpsCounts) {
  for (float eps : {1e-5f, 1e-2f, 4.0f}) {
    Rows rows = randomRows(2, 96, 23, -0.01f, 0.01f);
    rows.eps = eps;
    expectNormalised(rows);
  }
}

// 1 and -1: the sum of the squares is divided by n, not by n - 1.
TEST(LayerNorm, TwoElements) {
  expectNormalised({1, 2, {7, 5}, {1, 1}, {0, 0}, 1e-12f});
}

TEST(LayerNorm, OneLargeElementAnywhere) {
  for (std::size_t position = 0; position < 133; ++position) {
    Rows rows = randomRows(1, 133, 27, -1, 1);
    rows.in[position] = 500.0f;
    expectNormalised(rows);
  }
}

// Equal elements: no variance, and only beta is left.
TEST(LayerNorm, ConstantRow) {
  Rows rows = randomRows(2, 40, 28);
  rows.in.assign(80, 0.75f);
  expectNormalised(rows);
}

TEST(LayerNorm, SecondCallSeesNewContents) {
  Rows rows = randomRows(2, 64, 30);
  GuardedBuffer out(2 * 64);
  const auto run = [&] {
    out.clear();
    norm::layerNorm(rows.in.data(), rows.gamma.data(), rows.beta.data(), out.data(), 2, 64, kEps);
  };
  run();
  rows.in.back() = 40.0f;
  rows.gamma[0] = -7.0f;
  rows.beta[63] = 9.0f;
  run();
  out.expectGuardsIntact();
  expectAllNear(out.data(), reference(rows), kAbsolute, 0);
}

} // namespace
