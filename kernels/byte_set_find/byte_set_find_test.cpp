#include "byte_set_find.h"

#include "edge_buffer.h"

#include <algorithm>
#include <array>
#include <random>
#include <string>

namespace {

using testing_support::EdgeBuffer;
using Bytes = std::vector<std::uint8_t>;
using Set = std::array<bool, 256>;

Set setOf(const Bytes &members) {
  Set set{};
  for (const std::uint8_t member : members)
    set[member] = true;
  return set;
}

/// Every value of a byte but one.
Bytes allBut(std::uint8_t one) {
  Bytes bytes;
  for (unsigned value = 0; value < 256; ++value)
    if (value != one)
      bytes.push_back(static_cast<std::uint8_t>(value));
  return bytes;
}

/// By comparisons with each member.
std::size_t reference(const Bytes &text, const Bytes &members) {
  return static_cast<std::size_t>(std::find_first_of(text.begin(), text.end(), members.begin(), members.end()) -
                                  text.begin());
}

std::size_t find(const Bytes &text, const Set &set) {
  return text::findInSet(text.data(), text.size(), set.data());
}

TEST(ByteSetFind, Empty) {
  EXPECT_EQ(text::findInSet(nullptr, 0, setOf({0}).data()), 0u);
}

// One member, and all others in the text before it; then the other way round.
TEST(ByteSetFind, EachByteAgainstAllOthers) {
  for (unsigned value = 0; value < 256; ++value) {
    const auto byte = static_cast<std::uint8_t>(value);
    Bytes text = allBut(byte);
    EXPECT_EQ(find(text, setOf({byte})), 255u) << value;
    text.push_back(byte);
    EXPECT_EQ(find(text, setOf({byte})), 255u) << value;
    for (const std::uint8_t other : allBut(byte))
      ASSERT_EQ(find(Bytes(70, other), setOf({byte})), 70u) << value << " is not " << +other;
    EXPECT_EQ(find(Bytes(300, byte), setOf(allBut(byte))), 300u) << value;
    for (const std::uint8_t other : allBut(byte)) {
      Bytes one(70, byte);
      one[value % 70] = other;
      ASSERT_EQ(find(one, setOf(allBut(byte))), value % 70) << value << " and " << +other;
    }
  }
}

// A member in each place of texts of every size, with the end of memory behind both arrays.
TEST(ByteSetFind, EachPlaceOfEverySmallSize) {
  const Bytes members{0x00, '"', '\\', 0x7f, 0x80, 0xff};
  EdgeBuffer<bool> set(256);
  std::ranges::copy(setOf(members), set.begin());
  std::mt19937 engine(61);
  for (std::size_t size = 1; size <= 300; ++size) {
    EdgeBuffer<std::uint8_t> text(size);
    std::generate(text.begin(), text.end(), [&] { return static_cast<std::uint8_t>('a' + engine() % 26); });
    ASSERT_EQ(text::findInSet(text.data(), size, set.data()), size);
    for (std::size_t place = 0; place < size; ++place) {
      const std::uint8_t old = std::exchange(text.data()[place], members[place % members.size()]);
      ASSERT_EQ(text::findInSet(text.data(), size, set.data()), place) << size << " bytes";
      ASSERT_EQ(text::findInSet(text.data(), place, set.data()), place) << "a member behind the end";
      text.data()[place] = old;
    }
  }
}

// Of several members the first counts, whatever the distance.
TEST(ByteSetFind, FirstOfSeveral) {
  const Set set = setOf({';', ',', 0xe4});
  for (std::size_t first = 0; first < 520; first += first < 130 ? 1 : 13)
    for (std::size_t distance : {1u, 2u, 15u, 16u, 17u, 63u, 64u, 130u, 255u}) {
      Bytes text(900, 'x');
      text[first] = ';';
      text[first + distance] = ',';
      text[899] = 0xe4;
      ASSERT_EQ(find(text, set), first) << distance;
    }
}

TEST(ByteSetFind, AnySet) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 engine(seed);
    Bytes members(engine() % (seed % 2 ? 5 : 200)), text(1 + engine() % 600);
    for (Bytes *bytes : {&members, &text})
      for (std::uint8_t &byte : *bytes)
        byte = static_cast<std::uint8_t>(engine());
    ASSERT_EQ(find(text, setOf(members)), reference(text, members)) << seed;
  }
}

TEST(ByteSetFind, NoneAndAll) {
  const Bytes text(1000, 'x');
  EXPECT_EQ(find(text, Set{}), 1000u);
  Set all;
  all.fill(true);
  EXPECT_EQ(find(text, all), 0u);
}

TEST(ByteSetFind, LongTextAtAnyAlignment) {
  Bytes text(70'001, 'y');
  text.back() = '\n';
  const Set set = setOf({'\n', '\r'});
  for (std::size_t skipped = 0; skipped < 65; ++skipped)
    ASSERT_EQ(text::findInSet(text.data() + skipped, text.size() - skipped, set.data()), 70'000 - skipped);
}

TEST(ByteSetFind, SecondCallSeesNewContents) {
  Bytes text(500, 'a');
  Set set = setOf({'b', 'c'});
  EXPECT_EQ(find(text, set), 500u);
  text[320] = 'c';
  EXPECT_EQ(find(text, set), 320u);
  set['c'] = false;
  EXPECT_EQ(find(text, set), 500u);
  set['a'] = true;
  EXPECT_EQ(find(text, set), 0u);
}

} // namespace
