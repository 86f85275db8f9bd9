#include "parse_decimal.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;
using Values = std::vector<std::uint32_t>;

constexpr std::uint32_t kUnwritten = 0xa7a7a7a7;

/// Line by line, from the last digit to the first, with the powers of ten.
Values reference(std::string_view text) {
  text = text.substr(0, text.find_first_not_of("0123456789\n"));
  Values values;
  for (std::size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1)) {
    std::uint64_t value = 0, power = 1;
    for (std::size_t i = end; i-- > 0; power = power * 10 % (1ull << 32))
      value += power * std::string_view("0123456789").find(text[i]);
    values.push_back(static_cast<std::uint32_t>(value));
  }
  return values;
}

void expectParsed(std::string_view text, std::size_t shift = 1) {
  Values expected = reference(text);
  const std::size_t count = expected.size();
  Values values(shift + text.size() + 1, kUnwritten);
  ASSERT_EQ(decimal::parseLines(text.data(), values.data() + shift, text.size()), count) << text;
  expected.resize(text.size() + 1, kUnwritten);
  ASSERT_NO_FATAL_FAILURE(expectSame(values.data() + shift, expected)) << text;
  ASSERT_EQ(values[shift - 1], kUnwritten) << "written before the output";
}

void expectParsedAtEdges(const std::string &text) {
  Values expected = reference(text);
  const EdgeBuffer<char> in(std::vector<char>(text.begin(), text.end()));
  EdgeBuffer<std::uint32_t> values(text.size());
  std::fill(values.begin(), values.end(), kUnwritten);
  ASSERT_EQ(decimal::parseLines(in.data(), values.data(), in.size()), expected.size()) << text;
  expected.resize(text.size(), kUnwritten);
  ASSERT_NO_FATAL_FAILURE(expectSame(values.data(), expected)) << text;
  values.expectNothingWrittenBefore();
}

std::string randomDigits(std::size_t count, std::mt19937 &engine) {
  std::string digits(count, '0');
  std::generate(digits.begin(), digits.end(), [&] { return "0123456789"[engine() % 10]; });
  return digits;
}

/// Lines of 1 to `longest` digits, cut after `size` characters.
std::string randomText(std::size_t size, std::size_t longest, unsigned seed) {
  std::mt19937 engine(seed);
  std::string text;
  while (text.size() < size)
    text += randomDigits(1 + engine() % longest, engine) + "\n";
  return text.substr(0, size);
}

TEST(ParseDecimal, ByHand) {
  Values out(8, kUnwritten);
  const std::string_view text = "0\n7\n4294967295\n4294967296\n9999999999\n0000000012\n";
  ASSERT_EQ(decimal::parseLines(text.data(), out.data(), text.size()), 6u);
  EXPECT_EQ(decimal::parseLines("12\n34", out.data(), 5), 1u); // the last line has no end
  EXPECT_EQ(decimal::parseLines("13\n-4\n", out.data(), 6), 1u);
  EXPECT_EQ(out, (Values{13, 7, 4294967295, 0, 1410065407, 12, kUnwritten, kUnwritten}));
  EXPECT_EQ(decimal::parseLines(nullptr, nullptr, 0), 0u);
}

TEST(ParseDecimal, EverySmallSize) {
  for (std::size_t size = 0; size <= 280; ++size) {
    for (std::size_t longest : {1u, 4u, 10u, 40u})
      expectParsedAtEdges(randomText(size, longest, static_cast<unsigned>(size) + 1));
    expectParsed(std::string(size, '\n') + "123\n\n\n45\n");
    expectParsed(std::string(size, '7'));
  }
}

TEST(ParseDecimal, LongTexts) {
  for (std::size_t size : {1023u, 4095u, 4096u, 4097u, 8192u, 70001u}) {
    for (std::size_t longest : {1u, 10u, 25u})
      expectParsedAtEdges(randomText(size, longest, static_cast<unsigned>(size)));
    expectParsedAtEdges(std::string(size, '\n'));
  }
}

// Numbers of every length beside numbers of every length.
TEST(ParseDecimal, EveryPairOfLengths) {
  std::mt19937 engine(61);
  for (std::size_t first = 0; first <= 24; ++first)
    for (std::size_t second = 0; second <= 24; ++second) {
      std::string text = randomDigits(first * second, engine);
      for (int repeated = 0; repeated < 5; ++repeated)
        text += randomDigits(first, engine) + "\n" + randomDigits(second, engine) + "\n";
      expectParsed(text);
    }
}

// One digit among zeros: its power of ten. Nines: the most that a sum can be.
TEST(ParseDecimal, EachDigitInEachPlace) {
  for (std::size_t length = 1; length <= 22; ++length)
    for (std::size_t place = 0; place < length; ++place)
      for (char digit = '1'; digit <= '9'; ++digit) {
        std::string line(length, '0');
        line[place] = digit;
        line += '\n';
        expectParsed(line + std::string(length, '9') + "\n" + line + line + line + line);
      }
}

// Nothing is read behind a character that is no digit, in whatever place, whatever lies behind it.
TEST(ParseDecimal, EveryByteEverywhere) {
  for (unsigned code = 0; code < 256; ++code)
    for (std::size_t place = 0; place < 150; place += place % 64 > 2 && place % 64 < 60 ? 3 : 1) {
      std::string text = randomText(150, 6, code);
      text[place] = static_cast<char>(code);
      expectParsed(text);
    }
  for (std::size_t place : {63u, 64u, 4095u, 4096u, 4100u, 9000u}) {
    std::string text = randomText(10000, 10, 63);
    text[place] = '\r';
    text[place + 7] = ' ';
    expectParsedAtEdges(text);
  }
}

TEST(ParseDecimal, InputAndOutputAtAnyAlignment) {
  const std::string text = randomText(330, 10, 64);
  for (std::size_t skipped = 0; skipped < 65; ++skipped)
    for (std::size_t shift = 1; shift < 18; ++shift)
      expectParsed(std::string_view(text).substr(skipped), shift);
}

TEST(ParseDecimal, SecondCallSeesNewContents) {
  std::string text = randomText(400, 10, 65) + "1\n";
  expectParsed(text);
  text.front() = text.front() == '5' ? '6' : '5';
  text[text.size() - 2] = '8';
  expectParsed(text);
}

} // namespace
