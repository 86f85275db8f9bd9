// Tables as comparisons and as shuffles, against the tables themselves.
#include "tool/source/moves/byte_lanes.h"

#include <gtest/gtest.h>

#include <random>

namespace agentic::moves {
namespace {

int singlesOf(const std::vector<ByteSteps::Step> &singles, int byte) {
  int sum = 0;
  for (const ByteSteps::Step &single : singles)
    sum += byte == single.at ? single.add : 0;
  return sum;
}

/// What the steps give for a signed byte.
int valueOf(const ByteSteps &steps, int byte) {
  bool counts = steps.beginsWithByte;
  int value = steps.first;
  for (const ByteSteps::Step &step : steps.steps)
    if (byte > step.at) {
      value += step.add;
      counts ^= step.switches;
    }
  return (value + (counts ? byte : 0) + singlesOf(steps.singles, byte)) & 255;
}

int valueOf(const ByteShuffle &shuffle, int byte) {
  const auto index = static_cast<std::size_t>((byte & 255) >> (shuffle.byUpperHalf ? 4 : 0));
  return (shuffle.entries[index] + (shuffle.countsByte ? byte : 0) + singlesOf(shuffle.singles, byte)) & 255;
}

/// Runs of the byte and a number, of one number, and of what never occurs; up to three bytes are other ones.
ByteTable randomTable(std::mt19937 &random, unsigned longest) {
  ByteTable table;
  while (table.size() < 256) {
    const unsigned kind = random() % 4;
    const int by = static_cast<int>(random() % 256);
    for (unsigned left = 1 + random() % longest; left > 0 && table.size() < 256; --left)
      table.push_back(kind == 0 ? kNever : kind == 1 ? by : (static_cast<int>(table.size()) + by) & 255);
  }
  for (unsigned odd = random() % 4; odd > 0; --odd)
    table[random() % table.size()] = static_cast<int>(random() % 256);
  return table;
}

TEST(ByteSteps, AreTheTable) {
  std::mt19937 random(7);
  int known = 0, mixed = 0, singles = 0;
  for (int round = 0; round < 300; ++round) {
    const ByteTable table = randomTable(random, round % 2 == 0 ? 90 : 25);
    const auto steps = stepsOf(table);
    if (!steps)
      continue;
    ++known, mixed += steps->isMixed, singles += !steps->singles.empty();
    for (int byte = -128; byte < 128; ++byte)
      if (const int expected = table[static_cast<std::size_t>(byte & 255)]; expected != kNever) {
        ASSERT_EQ(valueOf(*steps, byte), expected) << "round " << round << ", byte " << byte;
      }
  }
  EXPECT_GT(known, 100);
  EXPECT_GT(mixed, 20);
  EXPECT_GT(singles, 20);
}

TEST(ByteSteps, AreFew) {
  ByteTable letters(256), digits(256, kNever), irregular(256);
  for (int byte = 0; byte < 256; ++byte) {
    const auto at = static_cast<std::size_t>(byte);
    letters[at] = byte >= 'a' && byte <= 'z' ? byte - 32 : byte;
    if (byte >= '0' && byte <= '9')
      digits[at] = byte - '0';
    irregular[at] = byte * 97 % 251;
  }
  EXPECT_EQ(stepsOf(letters)->steps.size(), 2U);
  EXPECT_EQ(stepsOf(digits)->steps.size(), 0U);
  EXPECT_EQ(stepsOf(digits)->operations, 1);
  letters['_'] = '-';
  EXPECT_EQ(stepsOf(letters)->steps.size(), 2U);
  EXPECT_EQ(stepsOf(letters)->singles.size(), 1U);
  EXPECT_FALSE(stepsOf(irregular));
  EXPECT_FALSE(shuffleOf(irregular));
  irregular.resize(16);
  irregular.resize(256, kNever);
  EXPECT_FALSE(shuffleOf(irregular)->byUpperHalf);
  EXPECT_EQ(shuffleOf(irregular)->operations, 1);
}

TEST(ByteSteps, ShufflesAreTheTable) {
  std::mt19937 random(3);
  int known = 0;
  for (int round = 0; round < 300; ++round) {
    ByteTable table = randomTable(random, 90);
    if (round % 3 == 0)
      std::fill(table.begin() + 16, table.end(), kNever);
    const auto shuffle = shuffleOf(table);
    if (!shuffle)
      continue;
    ++known;
    for (int byte = -128; byte < 128; ++byte)
      if (const int expected = table[static_cast<std::size_t>(byte & 255)]; expected != kNever) {
        ASSERT_EQ(valueOf(*shuffle, byte), expected) << "round " << round << ", byte " << byte;
      }
  }
  EXPECT_GT(known, 100);
}

TEST(ByteSteps, TestsAreTheSet) {
  std::mt19937 random(5);
  int halves = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<bool> set(256);
    for (std::size_t byte = 0, left = 0; byte < 256; ++byte, --left) {
      if (left == 0)
        left = 1 + random() % (round % 2 == 0 ? 60 : 9);
      set[byte] = left > 1 ? byte > 0 && set[byte - 1] : random() % 2 == 0;
    }
    const ByteTest test = testOf(set);
    const auto known = halvesOf(set);
    halves += known.has_value();
    for (int byte = -128; byte < 128; ++byte) {
      bool isIn = test.begins;
      for (const ByteTest::Place &place : test.places)
        isIn ^= place.isEqual ? byte == place.at : byte > place.at;
      const auto at = static_cast<std::size_t>(byte & 255);
      ASSERT_EQ(isIn, set[at]) << "round " << round << ", byte " << byte;
      if (known) {
        ASSERT_EQ((known->lower[at & 15] & known->upper[at >> 4]) != 0, set[at]) << "round " << round;
        ASSERT_TRUE(known->hasHighBit || at < 128 || !set[at]);
      }
    }
  }
  EXPECT_GT(halves, 50);
}

} // namespace
} // namespace agentic::moves
