#include "group_sums.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <functional>
#include <limits>
#include <numeric>
#include <random>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;

constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kSmallest = std::numeric_limits<std::int32_t>::min();

struct Rows {
  std::vector<std::int32_t> values;
  std::vector<std::uint8_t> groups;
};

/// `groups` groups that occur, evenly spread over all 256.
Rows randomRows(std::size_t size, unsigned groups, unsigned seed) {
  std::mt19937 engine(seed);
  Rows rows;
  for (std::size_t i = 0; i < size; ++i) {
    rows.values.push_back(static_cast<std::int32_t>(engine()));
    rows.groups.push_back(static_cast<std::uint8_t>(engine() % groups * (256 / groups) + 255 % (256 / groups)));
  }
  return rows;
}

/// A pass over all rows for each group.
std::vector<std::int64_t> reference(const Rows &rows) {
  std::vector<std::int64_t> sums;
  for (unsigned group = 0; group < 256; ++group)
    sums.push_back(std::inner_product(
        rows.values.begin(), rows.values.end(), rows.groups.begin(), std::int64_t{0}, std::plus<>(),
        [&](std::int64_t value, std::uint8_t groupOfRow) { return groupOfRow == group ? value : 0; }));
  return sums;
}

void expectSums(const Rows &rows) {
  const EdgeBuffer<std::int32_t> values(rows.values);
  const EdgeBuffer<std::uint8_t> groups(rows.groups);
  EdgeBuffer<std::int64_t> sums(256);
  aggregation::groupSums(values.data(), groups.data(), values.size(), sums.data());
  expectSame(sums.data(), reference(rows));
  sums.expectNothingWrittenBefore();
}

TEST(GroupSums, EverySmallSize) {
  for (std::size_t size = 0; size <= 150; ++size) {
    SCOPED_TRACE(size);
    for (unsigned groups : {1u, 3u, 256u})
      expectSums(randomRows(size, groups, static_cast<unsigned>(size) + 1));
  }
}

TEST(GroupSums, OddSizes) {
  for (std::size_t size : {255u, 257u, 1021u, 4099u, 65537u}) {
    SCOPED_TRACE(size);
    for (unsigned groups : {1u, 2u, 5u, 100u, 256u})
      expectSums(randomRows(size, groups, static_cast<unsigned>(size)));
  }
}

// Signed group numbers, and a table that is too short, show here.
TEST(GroupSums, EachGroupAlone) {
  for (unsigned group = 0; group < 256; ++group)
    for (std::size_t size : {1u, 3u, 37u})
      expectSums(
          {std::vector<std::int32_t>(size, -5), std::vector<std::uint8_t>(size, static_cast<std::uint8_t>(group))});
}

// Rows that are skipped, counted twice, or take their neighbour's group.
TEST(GroupSums, EachPosition) {
  for (std::size_t position = 0; position < 131; ++position) {
    Rows rows{std::vector<std::int32_t>(131, 1), std::vector<std::uint8_t>(131, 7)};
    rows.groups[position] = 200;
    rows.values[position] = -1000;
    expectSums(rows);
  }
}

// Sums far beyond 32 bits.
TEST(GroupSums, LargeSums) {
  for (std::int32_t value : {kLargest, kSmallest, -1})
    for (std::size_t size : {2u, 3u, 1000u, 100003u})
      expectSums({std::vector<std::int32_t>(size, value), std::vector<std::uint8_t>(size, 255)});
}

// A row that follows another of its group at every distance: a sum that was read too early loses one of both.
TEST(GroupSums, RepeatedAtEachDistance) {
  for (std::size_t distance = 1; distance <= 40; ++distance) {
    Rows rows = randomRows(200, 256, 9);
    for (std::size_t i = 0; i < rows.groups.size(); ++i)
      rows.groups[i] = static_cast<std::uint8_t>(i % distance * 6);
    expectSums(rows);
  }
}

TEST(GroupSums, AnyAlignment) {
  const Rows all = randomRows(400, 17, 10);
  for (std::size_t skipped = 0; skipped < 70; ++skipped) {
    const auto from = static_cast<std::ptrdiff_t>(skipped);
    const Rows rows{{all.values.begin() + from % 9, all.values.end() - 70 + from % 9},
                    {all.groups.begin() + from, all.groups.end() - 70 + from}};
    std::vector<std::int64_t> sums(257, -77);
    aggregation::groupSums(all.values.data() + skipped % 9, all.groups.data() + skipped, 330,
                           sums.data() + skipped % 2);
    expectSame(sums.data() + skipped % 2, reference(rows));
    ASSERT_EQ(sums[skipped % 2 == 0 ? 256 : 0], -77);
  }
}

// Old sums do not count.
TEST(GroupSums, SecondCallSeesNewContents) {
  Rows rows = randomRows(300, 256, 11);
  std::vector<std::int64_t> sums(256, 99);
  aggregation::groupSums(rows.values.data(), rows.groups.data(), 300, sums.data());
  rows.values[0] ^= 0x155;
  rows.groups[299] ^= 0xff;
  aggregation::groupSums(rows.values.data(), rows.groups.data(), 300, sums.data());
  expectSame(sums.data(), reference(rows));
}

} // namespace
