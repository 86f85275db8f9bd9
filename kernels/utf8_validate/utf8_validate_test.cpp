#include "utf8_validate.h"

#include "edge_buffer.h"

#include <array>
#include <random>

namespace {

using testing_support::EdgeBuffer;
using Bytes = std::vector<std::uint8_t>;

/// Any scalar below 2^21 in the form of the given length, also where that is not the right one.
Bytes encode(std::uint32_t scalar, std::size_t length) {
  if (length == 1)
    return {static_cast<std::uint8_t>(scalar)};
  Bytes bytes(length);
  for (std::size_t i = length; i-- > 1; scalar >>= 6)
    bytes[i] = static_cast<std::uint8_t>(0x80 | (scalar & 0x3f));
  constexpr std::array<unsigned, 5> kMark{0, 0, 0xc0, 0xe0, 0xf0};
  bytes[0] = static_cast<std::uint8_t>(kMark[length] | scalar);
  return bytes;
}

Bytes encode(std::uint32_t scalar) {
  return encode(scalar, scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4);
}

/// Decodes and judges the number, instead of judging bytes.
bool reference(const std::uint8_t *text, std::size_t size) {
  constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  for (std::size_t i = 0; i < size;) {
    const unsigned lead = text[i];
    const std::size_t length = lead < 0x80           ? 1
                               : lead / 0x20 == 6    ? 2
                               : lead / 0x10 == 0xe  ? 3
                               : lead / 0x08 == 0x1e ? 4
                                                     : 0;
    if (length == 0 || length > size - i)
      return false;
    std::uint32_t scalar = length == 1 ? lead : lead % (0x80u >> length);
    for (std::size_t k = 1; k < length; ++k) {
      if (text[i + k] / 0x40 != 2)
        return false;
      scalar = scalar * 0x40 + text[i + k] % 0x40;
    }
    if (scalar < kSmallest[length] || (scalar >= 0xd800 && scalar < 0xe000) || scalar > 0x10ffff)
      return false;
    i += length;
  }
  return true;
}

bool reference(const Bytes &bytes) {
  return reference(bytes.data(), bytes.size());
}

bool isUtf8(const Bytes &bytes) {
  return text::isUtf8(bytes.data(), bytes.size());
}

void append(Bytes &to, const Bytes &bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

std::string hex(const Bytes &bytes) {
  std::string all;
  for (const unsigned byte : bytes) {
    all += "0123456789abcdef"[byte / 16];
    all += "0123456789abcdef"[byte % 16];
    all += ' ';
  }
  return all;
}

/// The ends of every range of table 3-7, and of the classes that it leaves out.
constexpr std::array<unsigned, 27> kEnds{0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0,
                                         0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef,
                                         0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xfd, 0xff};

/// Four bytes out of kEnds, the position in base 27 of `number`; fewer where the caller cuts.
std::array<std::uint8_t, 4> bytesOf(std::size_t number) {
  std::array<std::uint8_t, 4> bytes{};
  for (std::uint8_t &byte : bytes) {
    byte = static_cast<std::uint8_t>(kEnds[number % kEnds.size()]);
    number /= kEnds.size();
  }
  return bytes;
}

/// Well-formed text of every length of character; the same for the same seed.
Bytes mixedText(std::size_t atLeast, unsigned seed) {
  std::mt19937 engine(seed);
  Bytes all;
  while (all.size() < atLeast) {
    constexpr std::array<std::uint32_t, 5> kLimit{0x80, 0x800, 0xd800, 0x10000, 0x110000};
    const std::size_t range = engine() % 5;
    const std::uint32_t low = range == 0 ? 0 : range == 3 ? 0xe000 : kLimit[range - 1];
    append(all, encode(low + static_cast<std::uint32_t>(engine() % (kLimit[range] - low))));
  }
  return all;
}

TEST(Utf8Validate, Empty) {
  EXPECT_TRUE(text::isUtf8(nullptr, 0));
}

TEST(Utf8Validate, EveryByteAndPairOfBytes) {
  for (unsigned first = 0; first < 256; ++first) {
    ASSERT_EQ(isUtf8({static_cast<std::uint8_t>(first)}), first < 0x80) << first;
    for (unsigned second = 0; second < 256; ++second) {
      const std::array<std::uint8_t, 2> pair{static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(second)};
      ASSERT_EQ(text::isUtf8(pair.data(), 2), reference(pair.data(), 2)) << first << ' ' << second;
    }
  }
}

// Every combination of the ends of ranges, three and four bytes long.
TEST(Utf8Validate, EveryBoundarySequence) {
  for (std::size_t number = 0; number < kEnds.size() * kEnds.size() * kEnds.size() * kEnds.size(); ++number) {
    const auto bytes = bytesOf(number);
    ASSERT_EQ(text::isUtf8(bytes.data(), 4), reference(bytes.data(), 4)) << hex({bytes.begin(), bytes.end()});
    if (number < kEnds.size() * kEnds.size() * kEnds.size()) {
      ASSERT_EQ(text::isUtf8(bytes.data(), 3), reference(bytes.data(), 3)) << hex({bytes.begin(), bytes.end() - 1});
    }
  }
}

TEST(Utf8Validate, EveryScalarValue) {
  Bytes all;
  for (std::uint32_t scalar = 0; scalar < 0x110000; ++scalar)
    if (scalar < 0xd800 || scalar > 0xdfff)
      append(all, encode(scalar));
  EXPECT_TRUE(isUtf8(all));
}

TEST(Utf8Validate, NoSurrogatesAndNothingAboveTheLast) {
  for (std::uint32_t scalar = 0xd800; scalar < 0xe000; ++scalar)
    ASSERT_FALSE(isUtf8(encode(scalar))) << scalar;
  for (std::uint32_t scalar = 0x110000; scalar < 0x200000; scalar += 0x3ff)
    ASSERT_FALSE(isUtf8(encode(scalar))) << scalar;
}

TEST(Utf8Validate, NoOverlongForms) {
  for (std::size_t length = 2; length <= 4; ++length) {
    const std::uint32_t limit = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
    for (std::uint32_t scalar = 0; scalar < limit; scalar += length == 4 ? 7 : 1)
      ASSERT_FALSE(isUtf8(encode(scalar, length))) << scalar << " in " << length << " bytes";
    ASSERT_TRUE(isUtf8(encode(limit, length)));
  }
}

// One to four bytes, right and wrong, across every border of 16, 32 and 64 bytes, among ASCII and among other
// characters.
TEST(Utf8Validate, EveryOffset) {
  std::vector<Bytes> sequences;
  for (std::size_t first = 0; first < kEnds.size(); ++first)
    for (std::size_t second = 0; second < kEnds.size(); ++second)
      for (std::size_t rest : {2u, 7u}) {
        const auto bytes = bytesOf(first + kEnds.size() * (second + kEnds.size() * (rest + kEnds.size() * rest)));
        for (std::size_t length = 1; length <= 4; ++length)
          sequences.emplace_back(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
      }
  Bytes ascii(144, 'a'), twos;
  for (std::size_t i = 0; i < 72; ++i)
    append(twos, encode(0x416));
  for (const Bytes &sequence : sequences) {
    const bool isRight = reference(sequence);
    for (std::size_t offset = 0; offset < 72; offset += offset % 16 == 3 ? 8 : 1) {
      Bytes in = ascii;
      std::copy(sequence.begin(), sequence.end(), in.begin() + static_cast<std::ptrdiff_t>(offset));
      ASSERT_EQ(isUtf8(in), isRight) << hex(sequence) << "at offset " << offset << " in ASCII";
    }
    for (std::size_t offset : {0u, 14u, 30u, 62u, 126u}) {
      Bytes in(twos.begin(), twos.begin() + static_cast<std::ptrdiff_t>(offset));
      append(in, sequence);
      append(in, {twos.begin(), twos.begin() + 60});
      ASSERT_EQ(isUtf8(in), isRight) << hex(sequence) << "at offset " << offset << " among others";
    }
  }
}

// A text that ends inside a character is wrong, whatever lies behind it: nothing readable, or the missing bytes.
TEST(Utf8Validate, CutOffAtTheEnd) {
  for (std::uint32_t scalar : {0x80u, 0x7ffu, 0x800u, 0xd7ffu, 0xe000u, 0xffffu, 0x10000u, 0x10ffffu}) {
    const Bytes character = encode(scalar);
    for (std::size_t before = 0; before < 140; ++before) {
      Bytes whole(before, 'a');
      append(whole, character);
      append(whole, Bytes(70, 0x80));
      for (std::size_t kept = 0; kept <= character.size(); ++kept) {
        const bool isRight = kept == 0 || kept == character.size();
        ASSERT_EQ(text::isUtf8(whole.data(), before + kept), isRight) << hex(character) << before << ' ' << kept;
        if (before % 16 > 12) {
          const EdgeBuffer<std::uint8_t> cut(
              Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(before + kept)));
          ASSERT_EQ(text::isUtf8(cut.data(), cut.size()), isRight) << hex(character) << before << ' ' << kept;
        }
      }
    }
  }
}

// ASCII inside a character: blocks of it must not be passed over while a character is unfinished.
TEST(Utf8Validate, InterruptedCharacter) {
  for (std::uint32_t scalar : {0x416u, 0x4e2du, 0x1f600u}) {
    const Bytes character = encode(scalar);
    for (std::size_t split = 1; split < character.size(); ++split) {
      const auto middle = character.begin() + static_cast<std::ptrdiff_t>(split);
      for (std::size_t before = 0; before < 140; ++before) {
        for (std::size_t gap : {0u, 1u, 8u, 16u, 32u, 64u, 128u, 192u}) {
          Bytes in(before, 'a');
          append(in, {character.begin(), middle});
          append(in, Bytes(gap, 'b'));
          append(in, {middle, character.end()});
          append(in, Bytes(20, 'c'));
          ASSERT_EQ(isUtf8(in), gap == 0) << hex(character) << "at " << before << ", after " << split << ": " << gap;
        }
      }
    }
  }
}

TEST(Utf8Validate, EverySizeEndsInTime) {
  const Bytes all = mixedText(400, 91);
  for (std::size_t size = 0; size <= 300; ++size) {
    const EdgeBuffer<std::uint8_t> part(Bytes(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size)));
    ASSERT_EQ(text::isUtf8(part.data(), size), reference(part.data(), size)) << size;
    const EdgeBuffer<std::uint8_t> ascii(Bytes(size, 0x7f));
    ASSERT_TRUE(text::isUtf8(ascii.data(), size)) << size;
  }
}

// One wrong byte, early, late, and forgiven by nothing that follows.
TEST(Utf8Validate, OneWrongByteAnywhere) {
  const Bytes right = mixedText(700, 92);
  ASSERT_TRUE(isUtf8(right));
  for (std::size_t position = 0; position < right.size(); ++position) {
    for (unsigned wrong : {0x00u, 0x80u, 0xc0u, 0xe0u, 0xf5u, 0xffu}) {
      Bytes in = right;
      in[position] = static_cast<std::uint8_t>(wrong);
      ASSERT_EQ(isUtf8(in), reference(in)) << "byte " << position << " is " << wrong;
    }
  }
  Bytes ascii(1000, 'z');
  for (std::size_t position = 0; position < ascii.size(); ++position) {
    ascii[position] = 0x80;
    ASSERT_FALSE(isUtf8(ascii)) << position;
    ascii[position] = 'z';
  }
}

TEST(Utf8Validate, LongTexts) {
  Bytes in = mixedText(200003, 93);
  EXPECT_TRUE(isUtf8(in));
  in[5] = 0xff;
  EXPECT_FALSE(isUtf8(in));
  in = mixedText(200003, 93);
  in.back() = 0xc3;
  EXPECT_FALSE(isUtf8(in));
  in = mixedText(100000, 94);
  append(in, {0xed, 0xa0, 0x80});
  append(in, mixedText(100000, 95));
  EXPECT_FALSE(isUtf8(in));
}

TEST(Utf8Validate, AnyAlignment) {
  const Bytes in = mixedText(400, 96);
  for (std::size_t skipped = 0; skipped < 70; ++skipped)
    ASSERT_EQ(text::isUtf8(in.data() + skipped, in.size() - skipped),
              reference(in.data() + skipped, in.size() - skipped))
        << skipped;
}

TEST(Utf8Validate, SecondCallSeesNewContents) {
  Bytes in = mixedText(100, 97);
  EXPECT_TRUE(isUtf8(in));
  in[50] = 0xff;
  EXPECT_FALSE(isUtf8(in));
  in[50] = 'a';
  EXPECT_EQ(isUtf8(in), reference(in));
}

} // namespace
