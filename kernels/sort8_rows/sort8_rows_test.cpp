#include "sort8_rows.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;
using Integers = std::vector<std::int32_t>;

constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kSmallest = std::numeric_limits<std::int32_t>::min();

Integers randomRows(std::size_t rows, std::int32_t low, std::int32_t high, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_int_distribution<std::int32_t> value(low, high);
  Integers values(rows * 8);
  for (std::int32_t &element : values)
    element = value(engine);
  return values;
}

/// By ranks: an element's place is the number of those that go before it.
Integers reference(const Integers &values) {
  Integers sorted(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t row = i / 8 * 8;
    std::size_t place = row;
    for (std::size_t k = row; k < row + 8; ++k)
      place += values[k] < values[i] || (values[k] == values[i] && k < i);
    sorted[place] = values[i];
  }
  return sorted;
}

void expectSorted(const Integers &values) {
  EdgeBuffer<std::int32_t> rows(values.size());
  std::copy(values.begin(), values.end(), rows.begin());
  sorting::sort8Rows(rows.data(), values.size() / 8);
  expectSame(rows.data(), reference(values));
  rows.expectNothingWrittenBefore();
}

TEST(Sort8Rows, EveryPermutation) {
  Integers row(8), all;
  std::iota(row.begin(), row.end(), -3);
  do {
    all.insert(all.end(), row.begin(), row.end());
  } while (std::next_permutation(row.begin(), row.end()));
  ASSERT_EQ(all.size(), 8u * 40320);
  expectSorted(all);
}

// Every row of three values: with equal elements, and with differences that 32 bits do not hold.
TEST(Sort8Rows, EveryRowOfTheExtremes) {
  Integers all;
  for (unsigned number = 0; number < 6561; ++number)
    for (unsigned i = 0, rest = number; i < 8; ++i, rest /= 3)
      all.push_back(rest % 3 == 0 ? kSmallest : rest % 3 == 1 ? 0 : kLargest);
  expectSorted(all);
}

TEST(Sort8Rows, EveryNumberOfRows) {
  for (std::size_t rows = 0; rows <= 100; ++rows) {
    SCOPED_TRACE(rows);
    expectSorted(randomRows(rows, kSmallest, kLargest, static_cast<unsigned>(rows) + 1));
    expectSorted(randomRows(rows, -3, 3, static_cast<unsigned>(rows) + 101));
  }
  expectSorted(randomRows(4099, kSmallest, kLargest, 5));
}

// A row of its own range among others: elements that come into another row show.
TEST(Sort8Rows, RowsAreIndependent) {
  Integers values(67 * 8);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::int32_t>(i / 8 * 37 % 67 * 100 + i * 5 % 8);
  expectSorted(values);
}

TEST(Sort8Rows, SortedAndReversed) {
  Integers values(33 * 8);
  std::iota(values.begin(), values.end(), -100);
  expectSorted(values);
  std::reverse(values.begin(), values.end());
  expectSorted(values);
  expectSorted(Integers(33 * 8, 7));
}

TEST(Sort8Rows, AnyAlignment) {
  const Integers values = randomRows(37, -1000, 1000, 6);
  for (std::size_t shift = 0; shift < 17; ++shift) {
    Integers rows(shift + values.size() + 8, 2000);
    std::copy(values.begin(), values.end(), rows.begin() + static_cast<std::ptrdiff_t>(shift));
    sorting::sort8Rows(rows.data() + shift, 37);
    expectSame(rows.data() + shift, reference(values));
    ASSERT_EQ(std::count(rows.begin(), rows.end(), 2000), static_cast<std::ptrdiff_t>(shift) + 8);
  }
}

TEST(Sort8Rows, SecondCallSeesNewContents) {
  Integers rows = randomRows(21, -99, 99, 7);
  sorting::sort8Rows(rows.data(), 21);
  rows[0] = 1000;
  rows[21 * 8 - 1] = -1000;
  const Integers expected = reference(rows);
  sorting::sort8Rows(rows.data(), 21);
  expectSame(rows.data(), expected);
}

} // namespace
