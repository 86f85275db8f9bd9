#include "tool/evaluate/differential/word_comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace agentic {
namespace {

/// Returns the indices of the words that differ.
template <class T>
std::vector<std::size_t> differing(const std::vector<T> &expected, const std::vector<T> &actual,
                                   const Exactness &exactness = {Exactness::Kind::Reassociate, {}}) {
  const MemoryPair memory{0x1000, std::as_bytes(std::span(expected)), std::as_bytes(std::span(actual))};
  std::vector<std::size_t> words;
  for (std::size_t at = 0; at < memory.expected.size(); at += 8)
    if (!wordsAgree(memory, at, std::min<std::size_t>(8, memory.expected.size() - at), exactness))
      words.push_back(at / 8);
  return words;
}
using Words = std::vector<std::size_t>;

template <class T> std::vector<T> waves(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<T>(std::sin(static_cast<double>(i) * 0.7) * 3);
  return values;
}

TEST(WordComparison, FloatsAreNearOrNot) {
  const std::vector<float> values = waves<float>(99);
  std::vector<float> other = values;
  for (float &value : other)
    value *= 1 + 1e-6f;
  EXPECT_EQ(differing(values, other), Words());
  EXPECT_FALSE(differing(values, other, {Exactness::Kind::Bits, {}}).empty());
  other[51] *= 1.01f;
  other[98] += 0.1f;
  EXPECT_EQ(differing(values, other), (Words{25, 49}));
  std::vector<float> cancelled = values, zero = values;
  cancelled[10] = 1e-9f;
  zero[10] = 0;
  EXPECT_EQ(differing(cancelled, zero), Words()) << "small beside its neighbours";
}

TEST(WordComparison, DoublesAreHeldToTheirOwnTolerance) {
  const std::vector<double> values = waves<double>(64);
  std::vector<double> other = values;
  for (double &value : other)
    value *= 1 + 1e-13;
  EXPECT_EQ(differing(values, other), Words());
  other[7] *= 1 + 1e-7;
  EXPECT_EQ(differing(values, other), Words{7});
  std::vector<double> round(40), nearly(40);
  for (std::size_t i = 0; i < round.size(); ++i)
    nearly[i] = (round[i] = static_cast<double>(i) + 0.5) * (1 - 1e-15);
  EXPECT_EQ(differing(round, nearly), Words()) << "numbers with few bits";
}

TEST(WordComparison, IntegersAreEqualOrNot) {
  for (const int base : {0, 5, -3, 70'000, 1 << 30, -(1 << 29)}) {
    std::vector<int> values(40), other;
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = base + static_cast<int>(i % 3);
    other = values;
    other[21] += other[21] == 1 << 30 ? 1 << 20 : 1;
    if (std::abs(base) < 1 << 25) {
      EXPECT_EQ(differing(values, other), Words{10}) << base;
    }
  }
  std::vector<std::uint64_t> hashes(40), wrong;
  std::mt19937_64 random(3);
  for (std::uint64_t &hash : hashes)
    hash = random();
  wrong = hashes;
  for (std::uint64_t &hash : wrong)
    ++hash;
  EXPECT_GT(differing(hashes, wrong).size(), 38u);
}

TEST(WordComparison, AnIntegerBesideAFloatIsNoPartOfADouble) {
  struct Item {
    int count;
    float weight;
  };
  std::vector<Item> items(30);
  for (std::size_t i = 0; i < items.size(); ++i)
    items[i] = {static_cast<int>(i), 1.5f + static_cast<float>(i) / 16};
  std::vector<Item> other = items;
  other[5].weight *= 1 + 1e-6f;
  EXPECT_EQ(differing(items, other), Words());
  other[9].count += 1;
  other[11].weight *= 1.1f;
  EXPECT_EQ(differing(items, other), (Words{9, 11}));
}

TEST(WordComparison, AnAddressIsNearToNoOther) {
  std::vector<std::uint64_t> nodes(8), other;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    nodes[i] = 0x55ee'bf00'1000 + 0x40 * i; // halves: a float and next to nothing
  other = nodes;
  other[3] += 0x10;
  EXPECT_EQ(differing(nodes, other), Words{3});
}

TEST(WordComparison, AddressesNearbyWidenNoTolerance) {
  // The low half of this one, as a float, is 1.4e17.
  std::vector<float> values = waves<float>(24);
  const std::uint64_t address = 0x00007f125bf89abc;
  for (int i = 0; i < 2; ++i) {
    values.emplace_back();
    values.emplace_back();
    std::memcpy(&values[values.size() - 2], &address, sizeof address);
  }
  std::vector<float> other = values;
  other[23] = 0;
  EXPECT_EQ(differing(values, other), Words{11});
}

TEST(WordComparison, PixelsAreNoFloats) {
  std::mt19937 random(5);
  std::vector<std::uint8_t> pixels(4096), other;
  for (std::uint8_t &pixel : pixels)
    pixel = static_cast<std::uint8_t>(random());
  other = pixels;
  for (std::size_t i = 0; i < other.size(); i += 64)
    other[i] ^= 1;
  EXPECT_GT(differing(pixels, other).size(), 55u) << "of 64 wrong ones, each in the last place of what may be a float";
}

TEST(WordComparison, OneNanIsAsGoodAsAnother) {
  std::vector<float> values = waves<float>(16), other = values;
  values[4] = std::numeric_limits<float>::quiet_NaN();
  other[4] = -values[4];
  EXPECT_EQ(differing(values, other), Words());
  other[4] = 1;
  EXPECT_EQ(differing(values, other), Words{2});
  std::vector<int> minusOne(16, 7), seven(16, 7);
  minusOne[3] = -1;
  EXPECT_EQ(differing(minusOne, seven), Words{1});
}

} // namespace
} // namespace agentic
