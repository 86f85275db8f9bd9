#include "inner_join_sorted.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <algorithm>
#include <iterator>
#include <random>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;
using Numbers = std::vector<std::uint32_t>;

constexpr std::uint32_t kUntouched = 0x12345679;

/// Ascending numbers with gaps of 1 to `largestGap`.
Numbers randomNumbers(std::size_t size, std::uint32_t first, std::uint32_t largestGap, unsigned seed) {
  std::mt19937 engine(seed);
  Numbers numbers(size);
  for (std::uint32_t &number : numbers) {
    number = first;
    first += 1 + static_cast<std::uint32_t>(engine() % largestGap);
  }
  return numbers;
}

/// What binary search finds, one number after the other.
Numbers reference(const Numbers &a, const Numbers &b) {
  Numbers common;
  std::copy_if(a.begin(), a.end(), std::back_inserter(common),
               [&](std::uint32_t number) { return std::binary_search(b.begin(), b.end(), number); });
  return common;
}

void expectOneWay(const Numbers &first, const Numbers &second) {
  const EdgeBuffer<std::uint32_t> a(first), b(second);
  EdgeBuffer<std::uint32_t> common(first.size());
  std::fill(common.begin(), common.end(), kUntouched);
  Numbers expected = reference(first, second);
  ASSERT_EQ(postings::innerJoinSorted(a.data(), a.size(), b.data(), b.size(), common.data()), expected.size());
  expected.resize(first.size(), kUntouched);
  expectSame(common.data(), expected);
  common.expectNothingWrittenBefore();
}

void expectJoin(const Numbers &first, const Numbers &second) {
  expectOneWay(first, second);
  expectOneWay(second, first);
}

TEST(InnerJoinSorted, EveryPairOfSmallSizes) {
  for (std::size_t aSize = 0; aSize <= 36; ++aSize)
    for (std::size_t bSize = 0; bSize <= aSize; ++bSize) {
      SCOPED_TRACE(testing::Message() << aSize << " and " << bSize);
      const auto seed = static_cast<unsigned>(aSize * 40 + bSize);
      expectJoin(randomNumbers(aSize, 5, 3, seed), randomNumbers(bSize, 4, 3, seed + 1));
    }
}

TEST(InnerJoinSorted, OddSizesOfEachDensity) {
  for (std::size_t size : {65u, 257u, 1021u, 4099u, 30011u})
    for (std::uint32_t gap : {1u, 2u, 7u, 100u, 5000u}) {
      SCOPED_TRACE(testing::Message() << size << " numbers, gap " << gap);
      expectJoin(randomNumbers(size, 0, gap, 1), randomNumbers(size * 2 / 3, 3, gap, 2));
    }
}

// Lists of very different lengths: many blocks of one are passed for one of the other.
TEST(InnerJoinSorted, ShortAndLong) {
  const Numbers all = randomNumbers(20000, 100, 4, 3);
  for (std::size_t size : {1u, 2u, 7u, 8u, 9u, 16u, 33u, 100u})
    for (std::uint32_t gap : {3u, 90u, 50000u / static_cast<std::uint32_t>(size)}) {
      expectJoin(randomNumbers(size, 99, gap, 4), all);
      expectJoin(randomNumbers(size, 48000, gap, 5), all);
    }
}

// A single common number at each pair of places: pairs that no comparison covers show, and those found twice.
TEST(InnerJoinSorted, EachPairOfPlaces) {
  for (std::size_t i = 0; i < 35; ++i)
    for (std::size_t j = 0; j < 35; ++j) {
      Numbers a(35), b(35);
      for (std::size_t k = 0; k < 35; ++k) { // even numbers here, odd ones there, but for one
        a[k] = static_cast<std::uint32_t>(1000 + 2 * k - 2 * i);
        b[k] = static_cast<std::uint32_t>(k == j ? 1000 : 1001 + 2 * k - 2 * j - (k < j ? 2 : 0));
      }
      ASSERT_EQ(reference(a, b), Numbers{1000});
      expectOneWay(a, b);
    }
}

TEST(InnerJoinSorted, EqualDisjointAndApart) {
  for (std::size_t size : {1u, 7u, 8u, 9u, 16u, 17u, 64u, 100u, 1000u}) {
    const Numbers a = randomNumbers(size, 10, 9, 6);
    Numbers doubled(size), odd(size);
    for (std::size_t i = 0; i < size; ++i) {
      doubled[i] = a[i] * 2;
      odd[i] = a[i] * 2 + 1;
    }
    expectJoin(a, a);
    expectJoin(doubled, odd);
    expectJoin(a, randomNumbers(size, a.back() + 1, 3, 7));
    expectJoin(a, randomNumbers(size, a.back(), 3, 8));
  }
}

// Numbers on both sides of 2^31, and both ends, of which signed comparisons take some for negative.
TEST(InnerJoinSorted, AllBits) {
  for (std::uint32_t first : {0u, 0x7fffffe0u, 0xfffffe00u})
    for (std::uint32_t gap : {1u, 3u, 10u}) {
      Numbers a = randomNumbers(50, first, gap, 9), b = randomNumbers(40, first, gap, 10);
      expectJoin(a, b);
      a.back() = b.back() = 0xffffffff;
      expectJoin(a, b);
    }
  expectJoin(randomNumbers(300, 0, 14000000, 11), randomNumbers(300, 0, 14000000, 11));
}

TEST(InnerJoinSorted, AnyAlignmentAndOverlap) {
  const Numbers numbers = randomNumbers(200, 0, 3, 12), others = randomNumbers(200, 0, 3, 13);
  for (std::size_t shift = 0; shift < 17; ++shift) {
    const Numbers a(numbers.begin() + static_cast<std::ptrdiff_t>(shift), numbers.end());
    for (const Numbers *b : {&numbers, &others}) {
      Numbers common(shift + a.size() + 1, kUntouched), expected = reference(a, *b);
      EXPECT_EQ(postings::innerJoinSorted(numbers.data() + shift, a.size(), b->data(), 200, common.data() + shift),
                expected.size());
      expected.insert(expected.begin(), shift, kUntouched);
      expected.resize(common.size(), kUntouched);
      expectSame(common.data(), expected);
    }
  }
}

TEST(InnerJoinSorted, SecondCallSeesNewContents) {
  Numbers a = randomNumbers(100, 0, 3, 14), b = randomNumbers(100, 0, 3, 15), common(100);
  postings::innerJoinSorted(a.data(), 100, b.data(), 100, common.data());
  const Numbers newA = randomNumbers(100, 1, 3, 16), newB = randomNumbers(100, 0, 2, 17);
  std::copy(newA.begin(), newA.end(), a.begin());
  std::copy(newB.begin(), newB.end(), b.begin());
  const Numbers expected = reference(newA, newB);
  EXPECT_EQ(postings::innerJoinSorted(a.data(), 100, b.data(), 100, common.data()), expected.size());
  expectSame(common.data(), expected);
}

} // namespace
