#include "matching_rows.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;
using Rows = std::vector<std::uint32_t>;

constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kSmallest = std::numeric_limits<std::int32_t>::min();
constexpr std::uint32_t kUntouched = 0xfedcba98;

struct Table {
  std::vector<std::int32_t> values;
  std::vector<std::uint16_t> codes;
};

struct Query {
  std::int32_t low, high;
  std::uint16_t key;
};

Table randomTable(std::size_t size, std::int32_t low, std::int32_t high, unsigned codes, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_int_distribution<std::int32_t> value(low, high);
  Table table;
  for (std::size_t i = 0; i < size; ++i) {
    table.values.push_back(value(engine));
    table.codes.push_back(static_cast<std::uint16_t>(engine() % codes));
  }
  return table;
}

/// All row numbers, of which those that do not match are taken out; distances from both ends, in 64 bits.
Rows reference(const Table &table, const Query &query) {
  Rows rows(table.values.size());
  std::iota(rows.begin(), rows.end(), 0u);
  std::erase_if(rows, [&](std::uint32_t row) {
    const std::int64_t value = table.values[row];
    return std::min(value - query.low, query.high - value) < 0 || (table.codes[row] ^ query.key) != 0;
  });
  return rows;
}

void expectMatches(const Table &table, const Query &query) {
  const EdgeBuffer<std::int32_t> values(table.values);
  const EdgeBuffer<std::uint16_t> codes(table.codes);
  EdgeBuffer<std::uint32_t> rows(table.values.size());
  std::fill(rows.begin(), rows.end(), kUntouched);
  Rows expected = reference(table, query);
  ASSERT_EQ(
      columns::matchingRows(values.data(), codes.data(), values.size(), query.low, query.high, query.key, rows.data()),
      expected.size());
  expected.resize(table.values.size(), kUntouched);
  expectSame(rows.data(), expected);
  rows.expectNothingWrittenBefore();
}

TEST(MatchingRows, EverySmallSize) {
  for (std::size_t size = 0; size <= 200; ++size) {
    SCOPED_TRACE(size);
    for (unsigned codes : {1u, 2u, 5u})
      expectMatches(randomTable(size, -10, 10, codes, static_cast<unsigned>(size) + 1), {-4, 6, 0});
  }
}

TEST(MatchingRows, OddSizes) {
  for (std::size_t size : {255u, 257u, 1021u, 1025u, 4099u, 20011u}) {
    SCOPED_TRACE(size);
    const Table table = randomTable(size, kSmallest, kLargest, 3, static_cast<unsigned>(size));
    expectMatches(table, {-1000000000, 1000000000, 2});
    expectMatches(table, {kSmallest, kLargest, 1});
    expectMatches(table, {1900000000, kLargest, 0});
  }
}

// Each condition alone decides, and none.
TEST(MatchingRows, AllAndNothing) {
  for (std::size_t size : {1u, 7u, 8u, 9u, 15u, 16u, 17u, 31u, 33u, 64u, 333u, 2000u}) {
    const Table table{std::vector<std::int32_t>(size, 42), std::vector<std::uint16_t>(size, 300)};
    for (const Query &query :
         {Query{42, 42, 300}, {43, 99, 300}, {0, 41, 300}, {0, 99, 301}, {0, 99, 44}, {99, 0, 300}})
      expectMatches(table, query);
  }
}

// Ends belong to the range; differences of 32 bits and unsigned comparisons go wrong.
TEST(MatchingRows, Extremes) {
  const std::vector<std::int32_t> ends{kSmallest, kSmallest + 1, -1, 0, 1, kLargest - 1, kLargest};
  std::mt19937 engine(3);
  Table table = randomTable(300, 0, 1, 2, 4);
  for (std::size_t i = 0; i < 300; ++i) {
    table.values[i] = ends[engine() % ends.size()];
    table.codes[i] = static_cast<std::uint16_t>(table.codes[i] == 0 ? 0xffff : 0x7fff + i % 2);
  }
  for (const std::int32_t low : ends)
    for (const std::int32_t high : ends)
      for (std::uint16_t key : {std::uint16_t{0xffff}, std::uint16_t{0x8000}})
        expectMatches(table, {low, high, key});
}

// One match, and one row that does not match, at every place of several vectors.
TEST(MatchingRows, EachPosition) {
  for (std::size_t position = 0; position < 131; ++position) {
    Table table{std::vector<std::int32_t>(131, 5), std::vector<std::uint16_t>(131, 1)};
    table.codes[position] = 2;
    expectMatches(table, {5, 5, 2});
    expectMatches(table, {0, 9, 1});
    table.codes[position] = 1;
    table.values[position] = 6;
    expectMatches(table, {6, 7, 1});
    expectMatches(table, {5, 5, 1});
  }
}

TEST(MatchingRows, AnyAlignment) {
  const Table all = randomTable(300, -9, 9, 2, 5);
  for (std::size_t shift = 0; shift < 33; ++shift) {
    const auto from = static_cast<std::ptrdiff_t>(shift);
    const Table table{{all.values.begin() + from % 17, all.values.end() - 33 + from % 17},
                      {all.codes.begin() + from, all.codes.end() - 33 + from}};
    Rows expected = reference(table, {-5, 5, 1}), rows(shift + 267 + 1, kUntouched);
    EXPECT_EQ(columns::matchingRows(all.values.data() + shift % 17, all.codes.data() + shift, 267, -5, 5, 1,
                                    rows.data() + shift),
              expected.size());
    expected.insert(expected.begin(), shift, kUntouched);
    expected.resize(rows.size(), kUntouched);
    expectSame(rows.data(), expected);
  }
}

TEST(MatchingRows, SecondCallSeesNewContents) {
  Table table = randomTable(100, -9, 9, 2, 6);
  Rows rows(100);
  for (std::uint16_t key : {std::uint16_t{1}, std::uint16_t{0}}) {
    Rows expected = reference(table, {-3, 7, key});
    std::fill(rows.begin(), rows.end(), kUntouched);
    EXPECT_EQ(columns::matchingRows(table.values.data(), table.codes.data(), 100, -3, 7, key, rows.data()),
              expected.size());
    expected.resize(100, kUntouched);
    expectSame(rows.data(), expected);
    std::reverse(table.values.begin(), table.values.end());
  }
}

} // namespace
