#include "csv_separators.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;
using Positions = std::vector<std::uint32_t>;

constexpr std::uint32_t kUnwritten = 0xa7a7a7a7;

/// Cuts the text at its quotes: every other piece is quoted.
Positions reference(std::string_view text, char separator) {
  const char sought[] = {separator, '\n'};
  Positions positions;
  bool isQuoted = false;
  for (std::size_t begin = 0; begin <= text.size(); isQuoted = !isQuoted) {
    const std::size_t end = std::min(text.find('"', begin), text.size());
    const std::string_view head = text.substr(0, end);
    for (std::size_t i = begin; !isQuoted && (i = head.find_first_of({sought, 2}, i)) != head.npos; ++i)
      positions.push_back(static_cast<std::uint32_t>(i));
    begin = end + 1;
  }
  return positions;
}

void expectFound(std::string_view text, char separator = ',', std::size_t shift = 1) {
  Positions expected = reference(text, separator);
  const std::size_t count = expected.size();
  Positions positions(shift + text.size() + 1, kUnwritten);
  ASSERT_EQ(csv::findSeparators(text.data(), positions.data() + shift, text.size(), separator), count) << text;
  expected.resize(text.size() + 1, kUnwritten);
  ASSERT_NO_FATAL_FAILURE(expectSame(positions.data() + shift, expected)) << text;
  ASSERT_EQ(positions[shift - 1], kUnwritten) << "written before the output";
}

void expectFoundAtEdges(const std::string &text) {
  Positions expected = reference(text, ',');
  const EdgeBuffer<char> in(std::vector<char>(text.begin(), text.end()));
  EdgeBuffer<std::uint32_t> positions(text.size());
  std::fill(positions.begin(), positions.end(), kUnwritten);
  ASSERT_EQ(csv::findSeparators(in.data(), positions.data(), in.size(), ','), expected.size()) << text;
  expected.resize(text.size(), kUnwritten);
  ASSERT_NO_FATAL_FAILURE(expectSame(positions.data(), expected)) << text;
  positions.expectNothingWrittenBefore();
}

/// Characters of `some`, each as often as it stands there.
std::string randomText(std::size_t size, std::string_view some, unsigned seed) {
  std::mt19937 engine(seed);
  std::string text(size, ' ');
  std::generate(text.begin(), text.end(), [&] { return some[engine() % some.size()]; });
  return text;
}

constexpr std::string_view kMixed = "\",,\n;abcd", kFewQuotes = "\",,,,,\n\n;;;ab 01c234e5f6g7h8ijklmnopqrstuvwxyz";

TEST(CsvSeparators, ByHand) {
  Positions out(40);
  const auto found = [&](std::string_view text) {
    const std::size_t count = csv::findSeparators(text.data(), out.data(), text.size(), ',');
    return Positions(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count));
  };
  EXPECT_EQ(found("a,b\nc,\"d,\ne\",f\n"), (Positions{1, 3, 5, 12, 14}));
  EXPECT_EQ(found("\"a\"\"b,c\",d\n"), (Positions{8, 10}));
  EXPECT_EQ(found(",,\r\n"), (Positions{0, 1, 3}));
  EXPECT_EQ(found("\"never closed,\n"), Positions{});
  EXPECT_EQ(csv::findSeparators(nullptr, nullptr, 0, ','), 0u);
}

TEST(CsvSeparators, EverySmallSize) {
  for (std::size_t size = 0; size <= 260; ++size) {
    expectFoundAtEdges(randomText(size, kMixed, static_cast<unsigned>(size) + 1));
    expectFoundAtEdges(randomText(size, kFewQuotes, static_cast<unsigned>(size) + 1));
    expectFoundAtEdges(std::string(size, ','));
  }
}

TEST(CsvSeparators, LongTexts) {
  for (std::size_t size : {511u, 1025u, 4095u, 65536u, 70001u})
    for (std::string_view some : {kMixed, kFewQuotes, std::string_view(",,,\n")})
      expectFoundAtEdges(randomText(size, some, static_cast<unsigned>(size)));
}

// Among nothing but separators: where one quote stands, and where two do, across blocks and at their borders.
TEST(CsvSeparators, QuotesAnywhere) {
  for (std::size_t first = 0; first < 200; ++first) {
    std::string text(200, ',');
    text[first] = '"';
    expectFound(text);
    for (std::size_t second = first + 1; second < 200; second += second % 64 > 2 && second % 64 < 60 ? 7 : 1) {
      text[second] = '"';
      expectFound(text);
      text[second] = '\n';
    }
  }
}

// A quoted field that is longer than any block, and all quotes.
TEST(CsvSeparators, QuotesAcrossBlocks) {
  for (std::size_t length : {0u, 1u, 62u, 63u, 64u, 65u, 127u, 128u, 200u, 1000u}) {
    expectFound("a,\"" + std::string(length, ',') + "\",b,\"" + std::string(length, '\n') + "\"\n,c\n");
    expectFound(std::string(length, '"') + ",\n");
  }
}

// Every value of a byte: in the text, and as the separator.
TEST(CsvSeparators, EveryByte) {
  std::string all = "\n,";
  for (unsigned code = 0; code < 256; ++code)
    all += static_cast<char>(code);
  for (unsigned code = 0; code < 256; ++code) {
    const auto byte = static_cast<char>(code);
    for (std::size_t place : {0u, 15u, 31u, 63u, 64u, 69u}) {
      std::string text(70, ',');
      text[place] = byte;
      expectFound(text);
      expectFound(text, ';');
    }
    expectFound(std::string(70, byte));
    expectFound(std::string(70, byte), byte);
    expectFound(all, byte);
    expectFound(all + all, byte);
  }
}

TEST(CsvSeparators, InputAndOutputAtAnyAlignment) {
  const std::string text = randomText(300, kMixed, 61);
  for (std::size_t skipped = 0; skipped < 65; ++skipped)
    for (std::size_t shift = 1; shift < 18; ++shift)
      expectFound(std::string_view(text).substr(skipped), ';', shift);
}

TEST(CsvSeparators, SecondCallSeesNewContents) {
  std::string text = randomText(400, kMixed, 62);
  expectFound(text);
  text.front() = text.front() == '"' ? ',' : '"'; // what was quoted is not, and the other way round
  expectFound(text);
}

} // namespace
