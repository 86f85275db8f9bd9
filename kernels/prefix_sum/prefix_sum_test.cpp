#include "prefix_sum.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <limits>
#include <random>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;

constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kSmallest = std::numeric_limits<std::int32_t>::min();

std::vector<std::int32_t> randomIntegers(std::size_t size, std::int32_t low, std::int32_t high, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_int_distribution<std::int32_t> value(low, high);
  std::vector<std::int32_t> values(size);
  for (std::int32_t &element : values)
    element = value(engine);
  return values;
}

/// By doubling distances (Hillis and Steele), in 64 bits: no running total.
std::vector<std::int32_t> reference(const std::vector<std::int32_t> &in) {
  std::vector<std::int64_t> sums(in.begin(), in.end());
  for (std::size_t distance = 1; distance < sums.size(); distance *= 2)
    for (std::size_t i = sums.size() - 1; i >= distance; --i)
      sums[i] += sums[i - distance];
  std::vector<std::int32_t> out(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i)
    out[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sums[i]));
  return out;
}

void expectPrefixSum(const std::vector<std::int32_t> &values) {
  const EdgeBuffer<std::int32_t> in(values);
  EdgeBuffer<std::int32_t> out(values.size());
  scan::prefixSum(in.data(), out.data(), in.size());
  expectSame(out.data(), reference(values));
  out.expectNothingWrittenBefore();
}

TEST(PrefixSum, EverySmallSize) {
  for (std::size_t size = 0; size <= 200; ++size) {
    SCOPED_TRACE(size);
    expectPrefixSum(randomIntegers(size, -1000, 1000, static_cast<unsigned>(size) + 1));
  }
}

TEST(PrefixSum, OddSizes) {
  for (std::size_t size : {255u, 257u, 1021u, 4095u, 4099u, 65537u, 263009u}) {
    SCOPED_TRACE(size);
    expectPrefixSum(randomIntegers(size, -100000, 100000, static_cast<unsigned>(size)));
  }
}

// A single one: everything behind it must see it, nothing before; a carry lost between blocks shows for every position.
TEST(PrefixSum, EachElementReachesAllBehindIt) {
  constexpr std::size_t kSize = 161;
  for (std::size_t position = 0; position < kSize; ++position) {
    std::vector<std::int32_t> values(kSize, 0);
    values[position] = 1;
    expectPrefixSum(values);
  }
}

// Carries that grow: each element's sum is its number.
TEST(PrefixSum, Ones) {
  for (std::size_t size : {1u, 64u, 1000u, 70001u})
    expectPrefixSum(std::vector<std::int32_t>(size, 1));
}

TEST(PrefixSum, Wraps) {
  for (std::int32_t value : {kLargest, kSmallest, -1, kLargest - 1})
    for (std::size_t size : {2u, 15u, 16u, 17u, 333u, 5003u})
      expectPrefixSum(std::vector<std::int32_t>(size, value));
  for (std::size_t size : {31u, 1000u, 20011u})
    expectPrefixSum(randomIntegers(size, kSmallest, kLargest, static_cast<unsigned>(size)));
}

TEST(PrefixSum, InputAndOutputAtAnyAlignment) {
  const auto values = randomIntegers(300, -1000, 1000, 61);
  for (std::size_t skipped = 0; skipped < 17; ++skipped) {
    const std::vector<std::int32_t> in(values.begin() + static_cast<std::ptrdiff_t>(skipped), values.end());
    for (std::size_t shift = 0; shift < 17; ++shift) {
      std::vector<std::int32_t> out(shift + in.size() + 1, 99);
      scan::prefixSum(values.data() + skipped, out.data() + shift, in.size());
      expectSame(out.data() + shift, reference(in));
      ASSERT_TRUE((shift == 0 || out[shift - 1] == 99) && out.back() == 99) << "written beside the output";
    }
  }
}

TEST(PrefixSum, SecondCallSeesNewContents) {
  auto values = randomIntegers(500, -1000, 1000, 62);
  std::vector<std::int32_t> out(values.size());
  scan::prefixSum(values.data(), out.data(), values.size());
  values[0] += 5;
  values[499] = -values[499] + 1;
  scan::prefixSum(values.data(), out.data(), values.size());
  expectSame(out.data(), reference(values));
}

} // namespace
