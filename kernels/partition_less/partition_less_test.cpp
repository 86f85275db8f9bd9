#include "partition_less.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <algorithm>
#include <limits>
#include <random>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;
using Integers = std::vector<std::int32_t>;

constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kSmallest = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kUntouched = 1234567891;

Integers randomIntegers(std::size_t size, std::int32_t low, std::int32_t high, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_int_distribution<std::int32_t> value(low, high);
  Integers values(size);
  for (std::int32_t &element : values)
    element = value(engine);
  return values;
}

/// Both outputs in full, one behind the other: two passes, and differences of 64 bits.
Integers reference(const Integers &values, std::int32_t pivot, std::size_t &lessCount) {
  const auto isLess = [&](std::int32_t value) { return static_cast<std::int64_t>(value) - pivot < 0; };
  Integers both(2 * values.size(), kUntouched);
  const auto end = std::copy_if(values.begin(), values.end(), both.begin(), isLess);
  lessCount = static_cast<std::size_t>(end - both.begin());
  std::remove_copy_if(values.begin(), values.end(), both.begin() + static_cast<std::ptrdiff_t>(values.size()), isLess);
  return both;
}

void expectPartition(const Integers &values, std::int32_t pivot) {
  std::size_t lessCount = 0;
  const Integers expected = reference(values, pivot, lessCount);
  const auto middle = expected.begin() + static_cast<std::ptrdiff_t>(values.size());
  const EdgeBuffer<std::int32_t> in(values);
  EdgeBuffer<std::int32_t> less(values.size()), others(values.size());
  std::fill(less.begin(), less.end(), kUntouched);
  std::fill(others.begin(), others.end(), kUntouched);
  ASSERT_EQ(selection::partitionLess(in.data(), in.size(), pivot, less.data(), others.data()), lessCount);
  expectSame(less.data(), Integers(expected.begin(), middle));
  expectSame(others.data(), Integers(middle, expected.end()));
  less.expectNothingWrittenBefore();
  others.expectNothingWrittenBefore();
}

TEST(PartitionLess, EverySmallSize) {
  for (std::size_t size = 0; size <= 200; ++size) {
    SCOPED_TRACE(size);
    for (std::int32_t pivot : {-5, 0, 9})
      expectPartition(randomIntegers(size, -10, 10, static_cast<unsigned>(size) + 1), pivot);
  }
}

TEST(PartitionLess, OddSizes) {
  for (std::size_t size : {255u, 257u, 1021u, 1025u, 4099u, 65537u}) {
    SCOPED_TRACE(size);
    const auto values = randomIntegers(size, kSmallest, kLargest, static_cast<unsigned>(size));
    for (std::int32_t pivot : {-2000000000, 0, 1900000000})
      expectPartition(values, pivot);
  }
}

// All on one side, and the other output untouched.
TEST(PartitionLess, OneSide) {
  for (std::size_t size : {1u, 2u, 7u, 8u, 15u, 16u, 17u, 64u, 333u, 2000u})
    for (std::int32_t pivot : {41, 42, 43})
      expectPartition(Integers(size, 42), pivot);
}

// Comparisons by subtraction, or of unsigned integers, go wrong here.
TEST(PartitionLess, ExtremesOnBothSides) {
  const Integers ends{kSmallest, kSmallest + 1, -1, 0, 1, kLargest - 1, kLargest};
  std::mt19937 engine(3);
  Integers values(500);
  for (std::int32_t &value : values)
    value = ends[engine() % ends.size()];
  for (std::int32_t pivot : ends)
    expectPartition(values, pivot);
}

// One value among others of the other side, at every place of several vectors.
TEST(PartitionLess, EachPosition) {
  for (std::size_t position = 0; position < 131; ++position) {
    Integers values = randomIntegers(131, 10, 99, 4);
    values[position] = 9;
    expectPartition(values, 10);
    for (std::int32_t &value : values)
      value = -value;
    expectPartition(values, -9);
  }
}

TEST(PartitionLess, AnyAlignment) {
  const auto values = randomIntegers(180, -50, 50, 5);
  for (std::size_t shift = 0; shift < 17; ++shift) {
    const Integers in(values.begin() + static_cast<std::ptrdiff_t>(shift), values.end());
    std::size_t lessCount = 0;
    const Integers expected = reference(in, 3, lessCount);
    Integers out(2 * in.size() + 2 * shift + 1, kUntouched); // both in one array, side by side
    EXPECT_EQ(selection::partitionLess(values.data() + shift, in.size(), 3, out.data() + 2 * shift,
                                       out.data() + 2 * shift + in.size()),
              lessCount);
    expectSame(out.data() + 2 * shift, expected);
    ASSERT_TRUE((shift == 0 || out[2 * shift - 1] == kUntouched) && out.back() == kUntouched);
  }
}

TEST(PartitionLess, SecondCallSeesNewContents) {
  auto values = randomIntegers(100, -9, 9, 6);
  Integers out(200);
  for (std::int32_t pivot : {0, 1}) {
    std::fill(out.begin(), out.end(), kUntouched);
    std::size_t lessCount = 0;
    const Integers expected = reference(values, pivot, lessCount);
    EXPECT_EQ(selection::partitionLess(values.data(), 100, pivot, out.data(), out.data() + 100), lessCount);
    expectSame(out.data(), expected);
    for (std::int32_t &value : values)
      value = 3 - value;
  }
}

} // namespace
