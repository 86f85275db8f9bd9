#include "max_pool2x2.h"

#include "edge_buffer.h"
#include "expect_same.h"
#include "guarded_buffer.h"

#include <algorithm>
#include <bit>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;
using testing_support::randomFloats;
using testing_support::randomIntegers;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();

struct Planes {
  std::size_t channels, height, width;
  std::vector<float> in;
  std::size_t outSize() const { return channels * (height / 2) * (width / 2); }
};

std::vector<std::uint32_t> bitsOf(const float *values, std::size_t size) {
  std::vector<std::uint32_t> bits(size);
  std::transform(values, values + size, bits.begin(), [](float value) { return std::bit_cast<std::uint32_t>(value); });
  return bits;
}

/// From the numbers of each window alone, the first of the largest.
std::vector<float> reference(const Planes &planes) {
  std::vector<float> out;
  for (std::size_t row = 0; row < planes.channels * planes.height; ++row) {
    if (row % planes.height % 2 == 1 || row % planes.height + 1 == planes.height)
      continue;
    const float *upper = planes.in.data() + row * planes.width, *lower = upper + planes.width;
    for (std::size_t x = 0; x + 1 < planes.width; x += 2) {
      std::vector<float> window{upper[x], upper[x + 1], lower[x], lower[x + 1]};
      std::erase_if(window, [](float value) { return std::isnan(value); });
      out.push_back(window.empty() ? -kInfinity : *std::max_element(window.begin(), window.end()));
    }
  }
  return out;
}

/// The input can only be read, and nothing lies behind either array.
void expectPooled(const Planes &planes) {
  SCOPED_TRACE(testing::Message() << planes.channels << "x" << planes.height << "x" << planes.width);
  const EdgeBuffer<float> in(planes.in);
  EdgeBuffer<float> out(planes.outSize());
  pooling::maxPool2x2(in.data(), out.data(), planes.channels, planes.height, planes.width);
  const auto expected = reference(planes);
  ASSERT_EQ(expected.size(), planes.outSize());
  expectSame(bitsOf(out.data(), out.size()).data(), bitsOf(expected.data(), expected.size()));
  out.expectNothingWrittenBefore();
}

Planes randomPlanes(std::size_t channels, std::size_t height, std::size_t width) {
  const auto seed = static_cast<unsigned>((channels * 97 + height) * 97 + width);
  return {channels, height, width, randomFloats(channels * height * width, -1, 1, seed)};
}

// At all alignments, too: the arrays end at a page.
TEST(MaxPool2x2, EverySmallSize) {
  for (std::size_t channels = 0; channels <= 3; ++channels)
    for (std::size_t height = 0; height <= 5; ++height)
      for (std::size_t width = 0; width <= 70; ++width)
        expectPooled(randomPlanes(channels, height, width));
}

TEST(MaxPool2x2, OddSizes) {
  for (const auto &[height, width] :
       {std::pair<std::size_t, std::size_t>{2, 1027}, {1021, 2}, {55, 55}, {112, 112}, {13, 13}, {8, 129}, {31, 254}})
    expectPooled(randomPlanes(2, height, width));
}

// The largest one in every place; what lies in the last row and column of odd sizes must not show.
TEST(MaxPool2x2, OneLargeElementAnywhere) {
  for (const auto &[height, width] : {std::pair<std::size_t, std::size_t>{4, 6}, {5, 7}, {2, 67}}) {
    for (std::size_t position = 0; position < 2 * height * width; ++position) {
      Planes planes{2, height, width, std::vector<float>(2 * height * width, -3.0f)};
      planes.in[position] = 5.0f;
      expectPooled(planes);
      planes.in[position] = -2.5f; // not a zero that was there before
      expectPooled(planes);
    }
  }
}

// All windows of four out of these: which of two zeros, NaN in every place, nothing but -infinity.
TEST(MaxPool2x2, EveryWindowOfSpecialValues) {
  constexpr float kValues[] = {0.0f, -0.0f,     kNaN,     kInfinity, -kInfinity,
                               1.0f, -kLargest, kLargest, kDenormal, -kDenormal};
  constexpr std::size_t kCount = std::size(kValues), kWindows = kCount * kCount * kCount * kCount;
  Planes planes{1, 2, 2 * kWindows, std::vector<float>(4 * kWindows)};
  for (std::size_t number = 0; number < kWindows; ++number) {
    planes.in[2 * number] = kValues[number % kCount];
    planes.in[2 * number + 1] = kValues[number / kCount % kCount];
    planes.in[2 * (kWindows + number)] = kValues[number / (kCount * kCount) % kCount];
    planes.in[2 * (kWindows + number) + 1] = kValues[number / (kCount * kCount * kCount)];
  }
  expectPooled(planes);
  for (std::size_t cut = 1; cut < 40; ++cut) { // each of some in the tail of a row
    planes.width = 2 * (4500 + cut);
    planes.in.resize(2 * planes.width);
    expectPooled(planes);
  }
}

TEST(MaxPool2x2, SecondCallSeesNewContents) {
  Planes planes{2, 6, 38, randomIntegers(2 * 6 * 38, 1000, 32)};
  std::vector<float> out(planes.outSize());
  pooling::maxPool2x2(planes.in.data(), out.data(), 2, 6, 38);
  planes.in.back() = 5000.0f;
  for (std::size_t i = 0; i < 100; ++i)
    planes.in[i] = -planes.in[i];
  pooling::maxPool2x2(planes.in.data(), out.data(), 2, 6, 38);
  expectSame(out.data(), reference(planes));
}

} // namespace
