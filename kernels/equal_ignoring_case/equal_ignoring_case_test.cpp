#include "equal_ignoring_case.h"

#include "edge_buffer.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>

namespace {

using testing_support::EdgeBuffer;
using text::firstDifferenceIgnoringCase;

constexpr std::string_view kSmall = "abcdefghijklmnopqrstuvwxyz", kLarge = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// By a search in both alphabets.
bool isSame(char a, char b) {
  const auto place = [](char c) { return std::min(kSmall.find(c), kLarge.find(c)); };
  return a == b || (place(a) != std::string_view::npos && place(a) == place(b));
}

std::size_t reference(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), isSame).first - a.begin());
}

/// Any bytes, half of them letters.
std::string randomText(std::size_t size, unsigned seed) {
  std::mt19937 engine(seed);
  std::string text(size, ' ');
  for (char &c : text)
    c = engine() % 2 ? static_cast<char>(engine()) : (engine() % 2 ? kSmall : kLarge)[engine() % 26];
  return text;
}

/// Half of the letters in the other case.
std::string otherCase(std::string text, unsigned seed) {
  std::mt19937 engine(seed);
  for (char &c : text) {
    const std::size_t place = std::min(kSmall.find(c), kLarge.find(c));
    if (place != std::string_view::npos)
      c = (engine() % 2 ? kSmall : kLarge)[place];
  }
  return text;
}

TEST(EqualIgnoringCase, ByHand) {
  EXPECT_EQ(firstDifferenceIgnoringCase(nullptr, nullptr, 0), 0u);
  EXPECT_EQ(firstDifferenceIgnoringCase("Content-Length", "content-LENGTH", 14), 14u);
  EXPECT_EQ(firstDifferenceIgnoringCase("Content-Length", "Content_Length", 14), 7u);
  EXPECT_EQ(firstDifferenceIgnoringCase("a\0b", "A\0B", 3), 3u);
  EXPECT_EQ(firstDifferenceIgnoringCase("@[`{", "`{@[", 4), 0u);
  EXPECT_EQ(firstDifferenceIgnoringCase("\xc4\xe4", "\xc4\xc4", 2), 1u); // letters in Latin-1, but not in ASCII
}

// Every pair of bytes, in a place that changes, in texts of 1 to 160 bytes that are the same otherwise.
TEST(EqualIgnoringCase, EveryPairOfBytes) {
  const std::string a = randomText(160, 61), b = otherCase(a, 62);
  for (unsigned first = 0; first < 256; ++first)
    for (unsigned second = 0; second < 256; ++second) {
      const auto x = static_cast<char>(first), y = static_cast<char>(second);
      ASSERT_EQ(firstDifferenceIgnoringCase(&x, &y, 1), isSame(x, y) ? 1u : 0u) << first << ' ' << second;
      const std::size_t place = (first * 256 + second) % 157;
      std::string left = a, right = b;
      left[place] = x;
      right[place] = y;
      ASSERT_EQ(firstDifferenceIgnoringCase(left.data(), right.data(), 160), isSame(x, y) ? 160u : place)
          << first << ' ' << second << " at " << place;
    }
}

// A difference in each place of texts of every size, with the end of memory behind both.
TEST(EqualIgnoringCase, EachPlaceOfEverySmallSize) {
  for (std::size_t size = 1; size <= 300; size += size < 140 ? 1 : 7) {
    const std::string text = randomText(size, static_cast<unsigned>(size)), other = otherCase(text, 63);
    const EdgeBuffer<char> a(std::vector<char>(text.begin(), text.end()));
    EdgeBuffer<char> b(size);
    std::ranges::copy(other, b.begin());
    ASSERT_EQ(firstDifferenceIgnoringCase(a.data(), b.data(), size), size);
    for (std::size_t place = 0; place < size; ++place) {
      const char old = std::exchange(b.data()[place], static_cast<char>(other[place] ^ (place % 2 ? 0x40 : 0x80)));
      ASSERT_EQ(firstDifferenceIgnoringCase(a.data(), b.data(), size), place) << size << " bytes";
      ASSERT_EQ(firstDifferenceIgnoringCase(b.data(), a.data(), size), place) << size << " bytes";
      ASSERT_EQ(firstDifferenceIgnoringCase(a.data(), b.data(), place), place) << "a difference behind the end";
      b.data()[place] = old;
    }
  }
}

// Of several differences the first counts, whatever the distance.
TEST(EqualIgnoringCase, FirstOfSeveral) {
  for (std::size_t first = 0; first < 520; first += first < 130 ? 1 : 13)
    for (std::size_t distance : {1u, 2u, 15u, 16u, 17u, 63u, 64u, 130u, 255u}) {
      std::string a(900, 'x'), b(900, 'X');
      a[first] = '0';
      b[first + distance] = 'y';
      b[899] = '\x10';
      ASSERT_EQ(firstDifferenceIgnoringCase(a.data(), b.data(), 900), first) << distance;
    }
}

TEST(EqualIgnoringCase, LongTextsAtAnyAlignment) {
  std::string a = randomText(20'064, 64), b = otherCase(a, 65);
  for (std::size_t shift = 0; shift < 64; ++shift) {
    const std::string moved = std::string(shift, '#') + b;
    ASSERT_EQ(firstDifferenceIgnoringCase(a.data() + shift, moved.data() + 2 * shift, 20'000), 20'000u) << shift;
  }
  b[20'063] = static_cast<char>(b[20'063] ^ 0x40);
  EXPECT_EQ(firstDifferenceIgnoringCase(a.data(), b.data(), a.size()), 20'063u);
  EXPECT_EQ(reference(a, b), 20'063u);
}

TEST(EqualIgnoringCase, OverlappingTexts) {
  const std::string text = std::string(100, 'q') + std::string(100, 'Q') + "r" + std::string(100, 'q');
  EXPECT_EQ(firstDifferenceIgnoringCase(text.data(), text.data(), text.size()), text.size());
  for (std::size_t shift = 1; shift < 70; ++shift)
    ASSERT_EQ(firstDifferenceIgnoringCase(text.data(), text.data() + shift, 230), 200 - shift);
}

TEST(EqualIgnoringCase, SecondCallSeesNewContents) {
  std::string a = randomText(500, 66), b = otherCase(a, 67);
  EXPECT_EQ(firstDifferenceIgnoringCase(a.data(), b.data(), 500), 500u);
  b[499] = static_cast<char>(b[499] ^ 0x01);
  EXPECT_EQ(firstDifferenceIgnoringCase(a.data(), b.data(), 500), 499u);
  a[3] = static_cast<char>(a[3] ^ 0x80);
  EXPECT_EQ(firstDifferenceIgnoringCase(a.data(), b.data(), 500), 3u);
}

} // namespace
