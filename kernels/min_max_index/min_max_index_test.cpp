#include "min_max_index.h"

#include "edge_buffer.h"
#include "guarded_buffer.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace {

using testing_support::EdgeBuffer;
using testing_support::randomFloats;
using testing_support::randomIntegers;
using Floats = std::vector<float>;

constexpr float kLargest = std::numeric_limits<float>::max(), kTiny = std::numeric_limits<float>::min();

/// By sorting pairs of a value and how far its index is from the end.
void expectExtremes(const Floats &all) {
  std::vector<std::pair<float, std::size_t>> sorted;
  for (std::size_t i = 0; i < all.size(); ++i)
    sorted.emplace_back(all[i], all.size() - i);
  std::sort(sorted.begin(), sorted.end());
  const EdgeBuffer<float> values(all);
  EdgeBuffer<float> smallest(1), largest(1);
  ASSERT_EQ(extremes::minMaxIndex(values.data(), values.size(), smallest.data(), largest.data()),
            all.size() - sorted.back().second)
      << "of " << all.size();
  EXPECT_EQ(smallest[0], sorted.front().first) << "of " << all.size();
  EXPECT_EQ(largest[0], sorted.back().first) << "of " << all.size();
  smallest.expectNothingWrittenBefore();
  largest.expectNothingWrittenBefore();
}

TEST(MinMaxIndex, EverySmallSize) {
  for (std::size_t size = 1; size <= 200; ++size) {
    const auto seed = static_cast<unsigned>(size);
    expectExtremes(randomFloats(size, -1, 1, seed));
    expectExtremes(randomIntegers(size, 3, seed + 1)); // most values several times
  }
}

TEST(MinMaxIndex, OddSizes) {
  for (std::size_t size : {255u, 257u, 511u, 513u, 1021u, 1025u, 4099u, 66001u}) {
    expectExtremes(randomFloats(size, -1000, 1000, 1));
    expectExtremes(randomFloats(size, 5, 6, 2));
    expectExtremes(randomFloats(size, -6, -5, 3));
    expectExtremes(randomIntegers(size, 20, 4));
  }
}

// Beyond what 16 bits hold, and what a float holds of an index within a lane.
TEST(MinMaxIndex, LargeIndices) {
  Floats values = randomFloats(300007, -1, 1, 5);
  for (std::size_t index : {32768u, 65535u, 65536u, 131073u, 299999u, 300006u}) {
    values[index] = 1.0f + static_cast<float>(index);
    values[300006 - index] = -2.0f - static_cast<float>(index);
    float smallest = 0, largest = 0;
    ASSERT_EQ(extremes::minMaxIndex(values.data(), values.size(), &smallest, &largest), index);
    ASSERT_EQ(smallest, -2.0f - static_cast<float>(index));
    ASSERT_EQ(largest, values[index]);
  }
}

TEST(MinMaxIndex, EachPosition) {
  for (std::size_t position = 0; position < 150; ++position) {
    Floats values(150, 2.0f);
    values[position] = 3.0f;
    expectExtremes(values);
    values[position] = 1.0f;
    expectExtremes(values);
    values[(position + 1) % 150] = 4.0f;
    expectExtremes(values);
  }
}

// Of two largest the first counts, whichever lanes and blocks they are in.
TEST(MinMaxIndex, FirstOfTwo) {
  Floats values = randomFloats(1200, -1, 0.5f, 6);
  for (std::size_t first = 0; first < 90; ++first)
    for (std::size_t second = first + 1; second < values.size(); second += second < 90 ? 1 : 111) {
      const float oldFirst = values[first], oldSecond = values[second];
      values[first] = values[second] = 0.75f;
      float smallest = 0, largest = 0;
      ASSERT_EQ(extremes::minMaxIndex(values.data(), values.size(), &smallest, &largest), first) << second;
      ASSERT_EQ(largest, 0.75f);
      values[first] = oldFirst;
      values[second] = oldSecond;
    }
}

TEST(MinMaxIndex, EqualAndMonotonous) {
  for (std::size_t size : {1u, 2u, 8u, 16u, 17u, 65u, 100u, 1000u}) {
    for (float value : {-7.5f, 0.0f, kTiny, -kTiny, kLargest, -kLargest})
      expectExtremes(Floats(size, value));
    Floats rising(size);
    std::iota(rising.begin(), rising.end(), -50.0f);
    expectExtremes(rising);
    std::reverse(rising.begin(), rising.end());
    expectExtremes(rising);
  }
}

// Neighbours among floats, and both ends of their range: nothing may be rounded, or start from a made-up value.
TEST(MinMaxIndex, CloseAndExtremeValues) {
  for (std::size_t position = 0; position < 70; ++position) {
    for (float value : {1.0f, -1.0f, 16777216.0f, -1e30f, 3e38f}) {
      Floats values(70, value);
      values[position] = std::nextafter(value, kLargest);
      expectExtremes(values);
      values[position] = std::nextafter(value, -kLargest);
      expectExtremes(values);
    }
    Floats values(70, -kLargest);
    values[position] = kLargest;
    expectExtremes(values);
    values[(position + 30) % 70] = 0.0f;
    expectExtremes(values);
  }
}

TEST(MinMaxIndex, AnyAlignmentAndSecondCall) {
  Floats values = randomFloats(300, -9, 9, 7);
  for (std::size_t shift = 0; shift < 33; ++shift) {
    values[shift] = 20.0f; // before what is looked at
    const Floats part(values.begin() + static_cast<std::ptrdiff_t>(shift) + 1, values.end());
    float results[4] = {77.0f, 0.0f, 0.0f, 77.0f};
    const auto largestAt = static_cast<std::ptrdiff_t>(
        extremes::minMaxIndex(values.data() + shift + 1, part.size(), results + 1, results + 2));
    ASSERT_EQ(largestAt, std::max_element(part.begin(), part.end()) - part.begin());
    ASSERT_EQ(results[1], *std::min_element(part.begin(), part.end()));
    ASSERT_EQ(results[2], *std::max_element(part.begin(), part.end()));
    ASSERT_TRUE(results[0] == 77.0f && results[3] == 77.0f);
    std::rotate(values.begin() + 40, values.begin() + 57, values.end());
  }
}

} // namespace
