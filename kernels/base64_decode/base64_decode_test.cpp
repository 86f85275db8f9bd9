#include "base64_decode.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;
using Bytes = std::vector<std::uint8_t>;

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kUnwritten = 0xa7;

struct Decoded {
  std::size_t result;
  Bytes bytes; ///< with what was written before an error, and unwritten ones behind
};

/// By a search in the alphabet and bit by bit.
Decoded reference(std::string_view text) {
  Decoded all{base64::kNotBase64, Bytes(text.size() / 4 * 3, kUnwritten)};
  if (text.size() % 4 != 0)
    return all;
  const std::size_t unpadded = text.find_last_not_of('=') + 1; // 0 if there is no other character
  const std::size_t digits = std::max(unpadded, text.size() - std::min<std::size_t>(text.size(), 2));
  const std::size_t valid = std::min(text.find_first_not_of(kDigits), digits);
  for (std::size_t i = 0; i < valid * 6 / 8; ++i) {
    std::size_t byte = 0;
    for (std::size_t bit = i * 8; bit < i * 8 + 8; ++bit)
      byte = byte * 2 + (kDigits.find(text[bit / 6]) >> (5 - bit % 6) & 1u);
    all.bytes[i] = static_cast<std::uint8_t>(byte);
  }
  if (valid == digits)
    all.result = digits * 6 / 8;
  return all;
}

void expectDecoded(std::string_view text, std::size_t shift = 1) {
  const auto [result, bytes] = reference(text);
  Bytes out(shift + bytes.size() + 1, kUnwritten);
  ASSERT_EQ(base64::decode(text.data(), out.data() + shift, text.size()), result) << text;
  ASSERT_NO_FATAL_FAILURE(expectSame(out.data() + shift, bytes)) << text;
  ASSERT_TRUE(out[shift - 1] == kUnwritten && out.back() == kUnwritten) << "written beside the output";
}

void expectDecodedAtEdges(const std::string &text) {
  const auto [result, bytes] = reference(text);
  const EdgeBuffer<char> in(std::vector<char>(text.begin(), text.end()));
  EdgeBuffer<std::uint8_t> out(bytes.size());
  std::fill(out.begin(), out.end(), kUnwritten);
  ASSERT_EQ(base64::decode(in.data(), out.data(), in.size()), result) << text;
  ASSERT_NO_FATAL_FAILURE(expectSame(out.data(), bytes)) << text;
  out.expectNothingWrittenBefore();
}

std::string randomText(std::size_t size, unsigned seed) {
  std::mt19937 engine(seed);
  std::string text(size, ' ');
  std::generate(text.begin(), text.end(), [&] { return kDigits[engine() % 64]; });
  return text;
}

TEST(Base64Decode, ExamplesOfTheRfc) {
  constexpr std::string_view kOut = "foobar", kIn[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
  for (std::size_t size = 0; size <= kOut.size(); ++size) {
    std::uint8_t out[6];
    ASSERT_EQ(base64::decode(kIn[size].data(), out, kIn[size].size()), size);
    EXPECT_TRUE(std::equal(out, out + size, kOut.begin()));
  }
  EXPECT_EQ(base64::decode(nullptr, nullptr, 0), 0u);
}

// Also sizes that are no multiple of four; each without padding, with one = and with more.
TEST(Base64Decode, EverySmallSize) {
  for (std::size_t size = 0; size <= 280; ++size) {
    std::string text = randomText(size, static_cast<unsigned>(size) + 1);
    expectDecodedAtEdges(text);
    for (std::size_t padding = 1; padding <= std::min<std::size_t>(size, 3); ++padding) {
      text[size - padding] = '=';
      expectDecodedAtEdges(text);
    }
  }
}

TEST(Base64Decode, LongTexts) {
  for (std::size_t size : {1020u, 1024u, 4100u, 65536u, 65540u})
    expectDecodedAtEdges(randomText(size - 1, static_cast<unsigned>(size)) + "=");
}

// Every value of a byte in every place: what is no digit ends the text there, with all that lies before it written.
TEST(Base64Decode, EachByteInEachPlace) {
  std::string text = randomText(148, 61);
  for (std::size_t place = 0; place < text.size(); ++place) {
    const char old = text[place];
    for (unsigned code = 0; code < 256; ++code) {
      text[place] = static_cast<char>(code);
      expectDecoded(text);
    }
    text[place] = old;
  }
}

// The first of two errors counts, in one block or in two.
TEST(Base64Decode, TwoErrors) {
  for (std::size_t second = 1; second < 200; second += 3)
    for (std::size_t first = 0; first < second; first += 5) {
      std::string text = randomText(200, 62);
      text[first] = '-';
      text[second] = '_';
      expectDecoded(text);
    }
}

// Any four of digits, = and others as the last group: bits that fill no byte may be set, = stands at the end only.
TEST(Base64Decode, EveryLastGroup) {
  for (std::size_t before : {0u, 4u, 28u, 64u, 188u})
    for (std::size_t number = 0; number < 6 * 6 * 6 * 6; ++number) {
      std::string text = randomText(before, 63);
      for (std::size_t rest = number, i = 0; i < 4; ++i, rest /= 6)
        text += "A/=w!9"[rest % 6];
      expectDecoded(text);
    }
}

TEST(Base64Decode, InputAndOutputAtAnyAlignment) {
  const std::string text = randomText(300, 64);
  for (std::size_t skipped = 0; skipped < 33; ++skipped)
    for (std::size_t shift = 1; shift < 34; ++shift)
      expectDecoded(std::string_view(text).substr(skipped, 264), shift);
}

TEST(Base64Decode, SecondCallSeesNewContents) {
  std::string text = randomText(400, 65);
  Bytes out(300);
  base64::decode(text.data(), out.data(), text.size());
  text.front() = text.front() == 'A' ? 'B' : 'A';
  text.back() = text.back() == 'A' ? 'B' : 'A';
  EXPECT_EQ(base64::decode(text.data(), out.data(), text.size()), 300u);
  expectSame(out.data(), reference(text).bytes);
}

} // namespace
