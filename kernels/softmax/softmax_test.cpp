#include "softmax.h"

#include "edge_buffer.h"
#include "guarded_buffer.h"

#include <algorithm>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectAllNear;
using testing_support::randomFloats;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr double kRelative = 1e-4, kAbsolute = 1e-37; // a denormal result has few bits

/// In double, through the logarithm of the sum, which is summed from the smallest term on.
std::vector<double> reference(const std::vector<float> &logits, std::size_t columns) {
  std::vector<double> out(logits.begin(), logits.end());
  for (auto row = out.begin(); row != out.end(); row += static_cast<std::ptrdiff_t>(columns)) {
    std::vector<double> sorted(row, row + static_cast<std::ptrdiff_t>(columns));
    std::sort(sorted.begin(), sorted.end());
    const double largest = sorted.back();
    double sum = 0;
    for (double logit : sorted)
      sum += std::exp(logit - largest);
    std::transform(row, row + static_cast<std::ptrdiff_t>(columns), row,
                   [&](double logit) { return std::exp(logit - largest - std::log(sum)); });
  }
  return out;
}

/// The result of a call, which must keep to its rows: nothing lies behind them.
std::vector<float> softmaxOf(const std::vector<float> &logits, std::size_t columns) {
  EdgeBuffer<float> x(logits.size());
  std::copy(logits.begin(), logits.end(), x.begin());
  activation::softmax(x.data(), logits.size() / columns, columns);
  x.expectNothingWrittenBefore();
  return {x.begin(), x.end()};
}

void expectSoftmax(const std::vector<float> &logits, std::size_t columns) {
  SCOPED_TRACE(testing::Message() << logits.size() / columns << "x" << columns);
  expectAllNear(softmaxOf(logits, columns).data(), reference(logits, columns), kAbsolute, kRelative);
}

TEST(Softmax, EverySmallSize) {
  for (std::size_t columns = 1; columns <= 150; ++columns)
    for (std::size_t rows : {0u, 1u, 2u, 3u})
      expectSoftmax(randomFloats(rows * columns, -8, 8, static_cast<unsigned>(columns * 7 + rows)), columns);
}

TEST(Softmax, OddSizes) {
  for (std::size_t columns : {255u, 257u, 512u, 1023u, 4096u})
    expectSoftmax(randomFloats(3 * columns, -10, 10, static_cast<unsigned>(columns)), columns);
}

// Without the subtraction of the maximum these overflow, or all exponentials are zero.
TEST(Softmax, Magnitudes) {
  for (float magnitude : {0.0f, 1e-6f, 1.0f, 20.0f, 80.0f, 1000.0f, 1e20f})
    for (float shift : {0.0f, 500.0f, -500.0f, -1e30f, 1e30f}) {
      SCOPED_TRACE(testing::Message() << magnitude << " around " << shift);
      auto logits = randomFloats(3 * 70, -magnitude, magnitude, 21);
      for (float &logit : logits)
        logit += shift;
      expectSoftmax(logits, 70);
    }
}

// Far below the maximum: down to the smallest numbers and to zero.
TEST(Softmax, DistanceFromTheMaximum) {
  std::vector<float> logits;
  for (int step = 0; step <= 1200; ++step)
    logits.push_back(7.0f - static_cast<float>(step) / 8);
  expectSoftmax(logits, logits.size());
}

TEST(Softmax, MaximumAnywhere) {
  for (std::size_t position = 0; position < 133; ++position) {
    auto logits = randomFloats(133, -200, -190, 22);
    logits[position] = -100.0f; // from any other one its exponential is infinite
    expectSoftmax(logits, 133);
  }
}

TEST(Softmax, MaskedLogits) {
  for (std::size_t columns : {2u, 16u, 47u, 100u}) {
    for (std::size_t kept = 0; kept < columns; ++kept) {
      auto logits = randomFloats(2 * columns, -4, 4, 24);
      for (std::size_t c = 0; c < columns; ++c) {
        if (c > kept)
          logits[c] = -kInfinity; // causal
        if (c != kept)
          logits[columns + c] = -kInfinity; // nothing else
      }
      const auto x = softmaxOf(logits, columns);
      expectAllNear(x.data(), reference(logits, columns), kAbsolute, kRelative);
      for (std::size_t i = 0; i < logits.size(); ++i)
        ASSERT_EQ(x[i] == 0, logits[i] == -kInfinity) << i;
    }
  }
}

// One of them, anywhere, spoils its row and no other.
TEST(Softmax, NaNAndInfinity) {
  constexpr std::size_t kColumns = 39;
  for (float special : {kNaN, kInfinity}) {
    for (std::size_t position = 0; position < 3 * kColumns; ++position) {
      auto logits = randomFloats(3 * kColumns, -4, 4, 25);
      const auto expected = reference(logits, kColumns);
      logits[position] = special;
      const auto x = softmaxOf(logits, kColumns);
      for (std::size_t i = 0; i < expected.size(); ++i)
        if (i / kColumns == position / kColumns)
          ASSERT_TRUE(std::isnan(x[i])) << i << " with " << special << " at " << position;
        else
          ASSERT_NEAR(x[i], expected[i], kRelative * expected[i]) << i;
    }
  }
  const auto x = softmaxOf(std::vector<float>(kColumns, -kInfinity), kColumns);
  for (std::size_t i = 0; i < kColumns; ++i)
    ASSERT_TRUE(std::isnan(x[i])) << i << " of a row that is masked out";
}

TEST(Softmax, SecondCallSeesNewContents) {
  auto logits = randomFloats(2 * 64, -5, 5, 27);
  std::vector<float> x = logits;
  activation::softmax(x.data(), 2, 64);
  logits.back() = 12.0f;
  logits.front() = -9.0f;
  x = logits;
  activation::softmax(x.data(), 2, 64);
  expectAllNear(x.data(), reference(logits, 64), kAbsolute, kRelative);
}

} // namespace
