#include "varint_decode.h"

#include "edge_buffer.h"
#include "expect_same.h"

#include <algorithm>
#include <random>

namespace {

using testing_support::EdgeBuffer;
using testing_support::expectSame;
using Bytes = std::vector<std::uint8_t>;
using Values = std::vector<std::uint32_t>;

/// At least `length` bytes, more if the value needs them.
void append(Bytes &to, std::uint32_t value, std::size_t length = 1) {
  for (; value >= 128 || length > 1; value /= 128, length -= length > 1 ? 1 : 0)
    to.push_back(static_cast<std::uint8_t>(128 + value % 128));
  to.push_back(static_cast<std::uint8_t>(value));
}

Bytes encode(const Values &values) {
  Bytes bytes;
  for (std::uint32_t value : values)
    append(bytes, value);
  return bytes;
}

/// Any number of bits is as likely as any other.
Values randomValues(std::size_t count, unsigned seed, unsigned bits = 33) {
  std::mt19937 engine(seed);
  Values values(count);
  for (std::uint32_t &value : values)
    value = static_cast<std::uint32_t>(std::uint64_t{engine()} % (1ull << engine() % bits));
  return values;
}

/// Finds where a value ends, then goes back through its digits to the base 128; the number of bytes, 0 if there are not
/// so many values.
std::size_t reference(const Bytes &in, std::size_t count, Values &values) {
  auto at = in.begin();
  for (values.clear(); values.size() < count;) {
    const auto last = std::find_if(at, in.end(), [](std::uint8_t byte) { return byte < 128; });
    if (last == in.end() || last - at >= 5)
      return 0;
    std::uint64_t value = 0;
    for (auto left = last - at + 1; left > 0; --left)
      value = value * 128 + at[left - 1] % 128;
    values.push_back(static_cast<std::uint32_t>(value));
    at = last + 1;
  }
  return static_cast<std::size_t>(at - in.begin());
}

void expectDecoded(const Bytes &bytes, std::size_t count) {
  Values expected;
  const std::size_t used = reference(bytes, count, expected);
  const EdgeBuffer<std::uint8_t> in(bytes);
  EdgeBuffer<std::uint32_t> values(count);
  ASSERT_EQ(coding::varintDecode(in.data(), in.size(), values.data(), count), used)
      << count << " values of " << bytes.size() << " bytes";
  if (used != 0)
    expectSame(values.data(), expected);
  values.expectNothingWrittenBefore();
}

TEST(VarintDecode, EveryLengthAtItsEnds) {
  for (unsigned bits = 0; bits <= 32; ++bits)
    for (int beside : {-1, 0, 1}) {
      const auto value = static_cast<std::uint32_t>((std::int64_t{1} << bits) + beside);
      std::uint32_t decoded = ~value;
      const Bytes bytes = encode({value});
      ASSERT_EQ(coding::varintDecode(bytes.data(), bytes.size(), &decoded, 1), bytes.size());
      ASSERT_EQ(decoded, value);
    }
}

TEST(VarintDecode, EverySmallCount) {
  for (std::size_t count = 0; count <= 200; ++count)
    for (unsigned bits : {7u, 15u, 33u})
      expectDecoded(encode(randomValues(count, static_cast<unsigned>(count), bits)), count);
}

// Bytes behind the last value are not its own.
TEST(VarintDecode, FewerValuesThanThereAre) {
  const Bytes bytes = encode(randomValues(200, 71));
  for (std::size_t count = 0; count <= 200; ++count)
    expectDecoded(bytes, count);
}

TEST(VarintDecode, EndsWithinAValue) {
  const Bytes bytes = encode(randomValues(200, 72));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    expectDecoded({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}, 200);
}

// Every value in any number of bytes; the fifth has bits that are dropped.
TEST(VarintDecode, LongForms) {
  for (std::size_t length = 1; length <= 5; ++length) {
    Bytes bytes;
    for (std::uint32_t value : randomValues(150, 73))
      append(bytes, value, length);
    expectDecoded(bytes, 150);
  }
  for (unsigned fifth = 0; fifth < 128; ++fifth)
    expectDecoded({0xff, 0x80, 0xd5, 0xaa, static_cast<std::uint8_t>(fifth), 1}, 2);
}

// A value of six bytes or more anywhere, also one that would be zero.
TEST(VarintDecode, NoMoreThanFiveBytes) {
  for (std::size_t before = 0; before < 140; ++before)
    for (std::size_t length : {4u, 5u, 6u, 7u, 11u, 70u}) {
      Bytes bytes(before, 0x05);
      append(bytes, 0, length);
      bytes.resize(bytes.size() + 100, 0x06);
      for (std::size_t count : {before, before + 1, before + 101})
        expectDecoded(bytes, count);
    }
}

TEST(VarintDecode, AnyBytes) {
  std::mt19937 engine(74);
  for (unsigned round = 0; round < 2000; ++round) {
    Bytes bytes(engine() % 150);
    for (std::uint8_t &byte : bytes)
      byte = static_cast<std::uint8_t>(engine() & (engine() % (1 + round % 8) == 0 ? 0x7f : 0xff));
    expectDecoded(bytes, engine() % 60);
  }
}

TEST(VarintDecode, LongInputsAtAnyAlignment) {
  const Values expected = randomValues(5000, 75);
  const Bytes bytes = encode(expected);
  for (std::size_t shift = 0; shift < 9; ++shift) {
    Bytes in(shift, 0xff);
    in.insert(in.end(), bytes.begin(), bytes.end());
    Values values(shift + 5001, 99);
    ASSERT_EQ(coding::varintDecode(in.data() + shift, bytes.size(), values.data() + shift, 5000), bytes.size());
    expectSame(values.data() + shift, expected);
    ASSERT_TRUE((shift == 0 || values[shift - 1] == 99) && values.back() == 99) << "written beside the output";
  }
}

TEST(VarintDecode, SecondCallSeesNewContents) {
  Bytes bytes = encode(randomValues(100, 76));
  Values values(100), expected;
  for (const std::uint8_t changed : Bytes{0x00, 0x01, 0x40}) {
    bytes.front() ^= changed;
    bytes.back() ^= changed;
    ASSERT_EQ(coding::varintDecode(bytes.data(), bytes.size(), values.data(), 100), reference(bytes, 100, expected));
    expectSame(values.data(), expected);
  }
}

} // namespace
