#include "heat2d.h"

#include "edge_buffer.h"
#include "guarded_buffer.h"

#include <utility>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectAllNear;
using testing_support::GuardedBuffer;
using testing_support::randomFloats;
using testing_support::randomIntegers;

// Integers of a few bits, and a rate that is a power of two: every order of operations is exact.
constexpr int kLargest = 1000;
constexpr float kExactRate = 0.125f;

/// As heat that flows between neighbours, in double: what one point gives the other one gets.
std::vector<double> reference(const std::vector<float> &in, std::size_t height, std::size_t width, double rate) {
  std::vector<double> out(in.begin(), in.end());
  const auto isBorder = [&](std::size_t at) {
    return at / width == 0 || at / width + 1 == height || at % width == 0 || at % width + 1 == width;
  };
  const auto flow = [&](std::size_t from, std::size_t to) {
    const double heat = rate * (static_cast<double>(in[from]) - in[to]);
    out[from] -= isBorder(from) ? 0 : heat;
    out[to] += isBorder(to) ? 0 : heat;
  };
  for (std::size_t at = 0; at < in.size(); ++at) {
    if ((at + 1) % width != 0)
      flow(at, at + 1);
    if (at + width < in.size())
      flow(at, at + width);
  }
  return out;
}

void expectStep(const std::vector<float> &in, std::size_t height, std::size_t width, float rate, double absolute) {
  SCOPED_TRACE(testing::Message() << height << "x" << width);
  const std::vector<float> oldIn = in;
  GuardedBuffer out(height * width);
  stencils::heatStep(in.data(), out.data(), height, width, rate);
  expectAllNear(out.data(), reference(oldIn, height, width, rate), absolute, 0);
  out.expectGuardsIntact();
  EXPECT_TRUE(in == oldIn) << "the kernel changed its input";
}

// Grids without inner points, with one, and every tail of a vector.
TEST(Heat2d, EverySmallSize) {
  for (std::size_t height = 1; height <= 11; ++height)
    for (std::size_t width = 1; width <= 40; ++width)
      expectStep(randomIntegers(height * width, kLargest, static_cast<unsigned>(height * 50 + width)), height, width,
                 kExactRate, 0);
}

TEST(Heat2d, Sizes) {
  for (const auto &[height, width] : {std::pair<std::size_t, std::size_t>{3, 501},
                                      {501, 3},
                                      {2, 300},
                                      {300, 2},
                                      {17, 63},
                                      {64, 64},
                                      {65, 129},
                                      {127, 66},
                                      {100, 258},
                                      {256, 256}}) {
    expectStep(randomIntegers(height * width, kLargest, 3), height, width, kExactRate, 0);
    for (float rate : {0.0f, 0.1f, 0.25f})
      expectStep(randomFloats(height * width, -1, 1, 4), height, width, rate, 1e-6);
  }
}

// One warm point anywhere: who gets a share of it, also at the border, and who does not, in the row before and after.
TEST(Heat2d, OneWarmPointAnywhere) {
  for (const auto &[height, width] : {std::pair<std::size_t, std::size_t>{5, 7}, {6, 21}, {3, 37}}) {
    for (std::size_t position = 0; position < height * width; ++position) {
      std::vector<float> in(height * width, 0.0f);
      in[position] = 1.0f;
      expectStep(in, height, width, kExactRate, 0);
    }
  }
}

TEST(Heat2d, RateCounts) {
  const auto in = randomIntegers(7 * 35, kLargest, 5);
  for (float rate : {1.0f, -1.0f, 0.5f, 2.0f})
    expectStep(in, 7, 35, rate, 0);
}

TEST(Heat2d, Magnitudes) {
  for (float magnitude : {1e-20f, 1e-3f, 1e6f, 1e30f})
    expectStep(randomFloats(13 * 45, -magnitude, magnitude, 6), 13, 45, 0.2f, 1e-6 * magnitude);
}

TEST(Heat2d, StaysWithinItsGrids) {
  for (const auto &[height, width] :
       {std::pair<std::size_t, std::size_t>{1, 1}, {2, 2}, {3, 3}, {1, 16}, {3, 18}, {5, 34}, {8, 67}}) {
    const auto in = randomIntegers(height * width, kLargest, 7);
    const EdgeBuffer<float> edgeIn(in);
    EdgeBuffer<float> out(height * width);
    stencils::heatStep(edgeIn.data(), out.data(), height, width, kExactRate);
    expectAllNear(out.data(), reference(in, height, width, kExactRate), 0, 0);
    out.expectNothingWrittenBefore();
  }
}

TEST(Heat2d, NoPoints) {
  const auto in = randomFloats(64, -1, 1, 8);
  GuardedBuffer out(64);
  stencils::heatStep(in.data(), out.data(), 0, 8, 0.1f);
  stencils::heatStep(in.data(), out.data(), 8, 0, 0.1f);
  out.expectGuardsIntact();
  for (std::size_t i = 0; i < out.size(); ++i)
    ASSERT_TRUE(std::isnan(out[i])) << "element " << i << " was written";
}

// Two grids in turn, as a solver does: an answer kept from a call before is wrong.
TEST(Heat2d, StepAfterStep) {
  constexpr std::size_t kHeight = 9, kWidth = 38;
  std::vector<float> in = randomIntegers(kHeight * kWidth, 9, 9), out(in.size());
  for (int step = 0; step < 4; ++step) {
    const std::vector<double> expected = reference(in, kHeight, kWidth, 0.25);
    stencils::heatStep(in.data(), out.data(), kHeight, kWidth, 0.25f);
    expectAllNear(out.data(), expected, 0, 0);
    std::swap(in, out);
  }
}

} // namespace
