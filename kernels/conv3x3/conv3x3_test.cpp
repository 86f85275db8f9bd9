#include "conv3x3.h"

#include "edge_buffer.h"
#include "guarded_buffer.h"

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectAllNear;
using testing_support::GuardedBuffer;
using testing_support::randomFloats;
using testing_support::randomIntegers;

/// In double, on a copy of the image with a border of zeros.
std::vector<double> reference(const std::vector<float> &in, const std::vector<float> &weights, std::size_t height,
                              std::size_t width) {
  const std::size_t padded = width + 2;
  std::vector<double> image((height + 2) * padded, 0.0);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x)
      image[(y + 1) * padded + x + 1] = in[y * width + x];
  std::vector<double> out(height * width, 0.0);
  for (std::size_t tap = 0; tap < 9; ++tap)
    for (std::size_t y = 0; y < height; ++y)
      for (std::size_t x = 0; x < width; ++x)
        out[y * width + x] += image[(y + tap / 3) * padded + x + tap % 3] * weights[tap];
  return out;
}

void expectFiltered(const std::vector<float> &in, const std::vector<float> &weights, std::size_t height,
                    std::size_t width, double absolute) {
  SCOPED_TRACE(testing::Message() << height << "x" << width);
  const std::vector<float> oldIn = in, oldWeights = weights;
  GuardedBuffer out(height * width);
  filters::conv3x3(in.data(), weights.data(), out.data(), height, width);
  expectAllNear(out.data(), reference(oldIn, oldWeights, height, width), absolute, 0);
  out.expectGuardsIntact();
  EXPECT_TRUE(in == oldIn && weights == oldWeights) << "the kernel changed an input";
}

// Integers of a few bits: every order of summation is exact.
constexpr int kLargest = 1000;

// Where a row or a column is first and last at once, where there is no interior, and every tail of a vector.
TEST(Conv3x3, EverySmallSize) {
  for (std::size_t height = 1; height <= 9; ++height)
    for (std::size_t width = 1; width <= 36; ++width)
      expectFiltered(randomIntegers(height * width, kLargest, static_cast<unsigned>(height * 50 + width)),
                     randomIntegers(9, kLargest, 3), height, width, 0);
}

class Sizes : public testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {};

TEST_P(Sizes, Integers) {
  const auto [height, width] = GetParam();
  expectFiltered(randomIntegers(height * width, kLargest, 5), randomIntegers(9, kLargest, 6), height, width, 0);
}

TEST_P(Sizes, Fractions) {
  const auto [height, width] = GetParam();
  expectFiltered(randomFloats(height * width, -1, 1, 7), randomFloats(9, -1, 1, 8), height, width, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Conv3x3, Sizes,
                         testing::Values(std::tuple(1, 1), std::tuple(1, 257), std::tuple(257, 1), std::tuple(2, 131),
                                         std::tuple(131, 2), std::tuple(17, 63), std::tuple(31, 64), std::tuple(61, 65),
                                         std::tuple(64, 127), std::tuple(67, 129), std::tuple(100, 100),
                                         std::tuple(5, 1021), std::tuple(1021, 5), std::tuple(257, 255),
                                         std::tuple(256, 1024)),
                         [](const auto &info) {
                           return std::to_string(std::get<0>(info.param)) + "x" +
                                  std::to_string(std::get<1>(info.param));
                         });

// One bright pixel shows the mirrored weights around it and nothing anywhere else: not in the row before or after it,
// where an index that leaves the image on one side comes back on the other.
TEST(Conv3x3, OneBrightPixelAnywhere) {
  const std::vector<float> weights{2, 3, 5, 7, 11, 13, 17, 19, 23};
  for (const auto &[height, width] : {std::pair<std::size_t, std::size_t>{5, 7}, {4, 21}, {3, 33}}) {
    for (std::size_t position = 0; position < height * width; ++position) {
      std::vector<float> in(height * width, 0.0f);
      in[position] = 1.0f;
      expectFiltered(in, weights, height, width, 0);
    }
  }
}

// One weight at a time: which pixel each belongs to.
TEST(Conv3x3, EachWeight) {
  const auto in = randomFloats(6 * 37, -9, 9, 11);
  for (std::size_t tap = 0; tap < 9; ++tap) {
    std::vector<float> weights(9, 0.0f);
    weights[tap] = 1.0f;
    expectFiltered(in, weights, 6, 37, 0);
  }
}

TEST(Conv3x3, Magnitudes) {
  for (float magnitude : {1e-12f, 1e-3f, 1e4f, 1e15f}) {
    SCOPED_TRACE(magnitude);
    expectFiltered(randomFloats(19 * 45, -magnitude, magnitude, 13), randomFloats(9, -magnitude, magnitude, 14), 19, 45,
                   1e-6 * magnitude * magnitude * 9);
  }
}

TEST(Conv3x3, StaysWithinItsImages) {
  const auto weights = randomIntegers(9, kLargest, 15);
  for (const auto &[height, width] : {std::pair<std::size_t, std::size_t>{1, 1}, {1, 16}, {2, 17}, {7, 33}, {30, 79}}) {
    const auto in = randomIntegers(height * width, kLargest, 16);
    const EdgeBuffer<float> edgeIn(in), edgeWeights(weights);
    EdgeBuffer<float> out(height * width);
    filters::conv3x3(edgeIn.data(), edgeWeights.data(), out.data(), height, width);
    expectAllNear(out.data(), reference(in, weights, height, width), 0, 0);
    out.expectNothingWrittenBefore();
  }
}

TEST(Conv3x3, NothingToWrite) {
  const auto values = randomFloats(64, -1, 1, 17);
  GuardedBuffer out(64);
  filters::conv3x3(values.data(), values.data(), out.data(), 0, 8);
  filters::conv3x3(values.data(), values.data(), out.data(), 8, 0);
  filters::conv3x3(values.data(), values.data(), out.data(), 0, 0);
  out.expectGuardsIntact();
  for (std::size_t i = 0; i < out.size(); ++i)
    ASSERT_TRUE(std::isnan(out[i])) << "element " << i << " was written";
}

// Same pointers, same sizes, other contents: an answer kept from the call before, or added to it, is wrong.
TEST(Conv3x3, SecondCallSeesNewContents) {
  constexpr std::size_t kHeight = 11, kWidth = 38;
  auto in = randomIntegers(kHeight * kWidth, kLargest, 18), weights = randomIntegers(9, kLargest, 19);
  GuardedBuffer out(kHeight * kWidth);
  filters::conv3x3(in.data(), weights.data(), out.data(), kHeight, kWidth);
  in.back() += 1.0f;
  weights[4] -= 2.0f;
  filters::conv3x3(in.data(), weights.data(), out.data(), kHeight, kWidth);
  expectAllNear(out.data(), reference(in, weights, kHeight, kWidth), 0, 0);
}

} // namespace
