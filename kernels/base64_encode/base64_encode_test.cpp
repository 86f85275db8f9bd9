#include "base64_encode.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <random>
#include <string_view>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;
using Bytes = std::vector<std::uint8_t>;
using Text = std::vector<char>;

char digitOf(unsigned value) {
  const unsigned code = value < 26 ? 'A' + value : value < 52 ? 'a' + (value - 26) : '0' + (value - 52);
  return value < 62 ? static_cast<char>(code) : value < 63 ? '+' : '/';
}

/// Bit by bit, from one long string of bits: knows nothing of groups of three bytes.
Text reference(const Bytes &in) {
  Text out;
  for (std::size_t bit = 0; bit < in.size() * 8; bit += 6) {
    unsigned value = 0;
    for (std::size_t b = bit; b < bit + 6; ++b)
      value = value * 2 + (b / 8 < in.size() ? in[b / 8] >> (7 - b % 8) & 1u : 0u);
    out.push_back(digitOf(value));
  }
  while (out.size() % 4 != 0)
    out.push_back('=');
  return out;
}

Bytes randomBytes(std::size_t size, unsigned seed) {
  std::mt19937 engine(seed);
  Bytes bytes(size);
  for (std::uint8_t &byte : bytes)
    byte = static_cast<std::uint8_t>(engine());
  return bytes;
}

void expectEncodedTo(const std::uint8_t *in, std::size_t size, std::size_t shift) {
  const Text expected = reference(Bytes(in, in + size));
  Text out(shift + expected.size() + 1, '#');
  base64::encode(in, out.data() + shift, size);
  expectSame(out.data() + shift, expected);
  ASSERT_TRUE(out[shift - 1] == '#' && out.back() == '#') << "written beside the output";
}

void expectEncoded(const Bytes &bytes) {
  expectEncodedTo(bytes.data(), bytes.size(), 1);
}

TEST(Base64Encode, ExamplesOfTheRfc) {
  constexpr std::string_view kIn = "foobar", kOut[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
  for (std::size_t size = 0; size <= kIn.size(); ++size) {
    char out[8];
    base64::encode(reinterpret_cast<const std::uint8_t *>(kIn.data()), out, size);
    EXPECT_EQ(std::string_view(out, kOut[size].size()), kOut[size]);
  }
  base64::encode(nullptr, nullptr, 0);
}

TEST(Base64Encode, EverySmallSize) {
  for (std::size_t size = 0; size <= 260; ++size) {
    SCOPED_TRACE(size);
    const Bytes bytes = randomBytes(size, static_cast<unsigned>(size) + 1);
    const Text expected = reference(bytes);
    const EdgeBuffer<std::uint8_t> in(bytes);
    EdgeBuffer<char> out(expected.size());
    base64::encode(in.data(), out.data(), size);
    expectSame(out.data(), expected);
    out.expectNothingWrittenBefore();
    expectEncoded(Bytes(size, 0xff));
  }
}

TEST(Base64Encode, OddSizes) {
  for (std::size_t size : {511u, 767u, 1021u, 4095u, 4096u, 4097u, 65537u})
    expectEncoded(randomBytes(size, static_cast<unsigned>(size)));
}

// All that the last one or two bytes can be, alone and behind a whole group.
TEST(Base64Encode, EveryTail) {
  for (unsigned value = 0; value < 0x10000; ++value) {
    const auto high = static_cast<std::uint8_t>(value >> 8), low = static_cast<std::uint8_t>(value);
    expectEncoded({high, low});
    if (high == 0) {
      expectEncoded({low});
      expectEncoded({1, 2, 3, low});
    }
  }
}

// 256 digits that count up from any start: each of the 64 is once in each place of four vectors.
TEST(Base64Encode, EachDigitInEachPlace) {
  for (unsigned start = 0; start < 64; ++start) {
    Bytes in(192, 0);
    for (unsigned bit = 0; bit < 192 * 8; ++bit)
      in[bit / 8] |= static_cast<std::uint8_t>(((start + bit / 6) >> (5 - bit % 6) & 1u) << (7 - bit % 8));
    expectEncoded(in);
  }
}

TEST(Base64Encode, InputAndOutputAtAnyAlignment) {
  const Bytes bytes = randomBytes(240, 61);
  for (std::size_t skipped = 0; skipped < 33; ++skipped)
    for (std::size_t shift = 1; shift < 34; ++shift)
      expectEncodedTo(bytes.data() + skipped, bytes.size() - skipped, shift);
}

TEST(Base64Encode, SecondCallSeesNewContents) {
  Bytes in = randomBytes(500, 62);
  Text out(668);
  base64::encode(in.data(), out.data(), in.size());
  in.front() ^= 0x80;
  in.back() ^= 0x01;
  base64::encode(in.data(), out.data(), in.size());
  expectSame(out.data(), reference(in));
}

} // namespace
