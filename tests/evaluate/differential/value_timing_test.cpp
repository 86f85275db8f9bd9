#include "tool/evaluate/differential/value_timing.h"

#include "tests/evaluate/differential/bytes.h"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace agentic {
namespace {

using Kind = GlueParameter::Kind;
using Element = GlueParameter::Element;
using testing::IsEmpty;
using testing::SizeIs;

/// int f(const T *data, size_t n, float x)
template <class T> struct Changeable {
  GlueDescription glue;
  RecordedCall call;

  Changeable(Element element, const std::vector<T> &data, std::optional<float> x = std::nullopt) {
    glue.parameters = {{.name = "data", .kind = Kind::Pointer, .element = element, .size = 8, .elementSize = sizeof(T)},
                       {.name = "n", .kind = Kind::Scalar, .element = Element::Unsigned, .size = 8}};
    call.arguments = {{{.role = wire::Role::In, .address = 0x1000}, bytesOf(data)},
                      {{.role = wire::Role::Value}, bytesOf<std::uint64_t>({data.size()})}};
    if (!x)
      return;
    glue.parameters.push_back({.name = "x", .kind = Kind::Scalar, .element = Element::Floating, .size = 4});
    call.arguments.push_back({{.role = wire::Role::Value}, bytesOf<float>({*x})});
  }
  std::vector<PlanPatch> changed(unsigned seed = 1) const {
    std::mt19937_64 random(seed);
    return slightChange(call, glue, random);
  }
};

TEST(SlightChange, ScalarsOfFloatingPointByALittle) {
  const auto patches = Changeable<float>(Element::Floating, {1, 2, 3}, 4096.0f).changed();
  ASSERT_THAT(patches, SizeIs(1)) << "the array stays";
  EXPECT_EQ(patches[0].argument, 2u);
  EXPECT_EQ(patches[0].bytes, bytesOf<float>({4097.0f}));
}

TEST(SlightChange, NeighboursWhereThereIsNoSuchScalar) {
  const Changeable<std::uint16_t> recorded(Element::Unsigned, {1, 2, 3, 4, 5, 6, 7, 8});
  std::set<std::size_t> places;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const auto patches = recorded.changed(seed);
    ASSERT_THAT(patches, SizeIs(1));
    EXPECT_EQ(patches[0].argument, 0u) << "sizes stay";
    const auto place = static_cast<std::uint16_t>(patches[0].offset / 2);
    EXPECT_EQ(patches[0].bytes,
              bytesOf<std::uint16_t>({static_cast<std::uint16_t>(place + 2), static_cast<std::uint16_t>(place + 1)}));
    places.insert(place);
  }
  EXPECT_EQ(places.size(), 7u) << "any two may be exchanged, also the last ones";
}

TEST(SlightChange, NothingWhereNothingDiffers) {
  EXPECT_THAT(Changeable<float>(Element::Floating, std::vector<float>(50, 2.5f)).changed(), IsEmpty());
  EXPECT_THAT(Changeable<float>(Element::Floating, {1}).changed(), IsEmpty());
  EXPECT_THAT(Changeable<float>(Element::Bytes, {1, 2, 3}).changed(), IsEmpty()) << "a struct may mean anything";
  for (const float same : {0.0f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
    EXPECT_THAT(Changeable<float>(Element::Floating, {1}, same).changed(), IsEmpty()) << same;
}

TEST(ValueTimings, TakeSomeSeconds) {
  const auto extent = [](double seconds, std::size_t calls) {
    const ValueTimingExtent found = extentFor(seconds, calls);
    return std::vector<int>{int(found.calls), int(found.changes), found.pairs};
  };
  EXPECT_EQ(extent(0, 4), (std::vector{4, 3, 3}));
  EXPECT_EQ(extent(0.1, 4), (std::vector{4, 3, 3}));
  EXPECT_EQ(extent(0.1, 1), (std::vector{1, 3, 3}));
  EXPECT_EQ(extent(0.4, 4), (std::vector{2, 3, 3}));
  EXPECT_EQ(extent(0.9, 4), (std::vector{1, 3, 3}));
  EXPECT_EQ(extent(1.5, 4), (std::vector{1, 3, 1}));
  EXPECT_EQ(extent(3, 4), (std::vector{1, 1, 1})) << "a change and a pair are the least";
  EXPECT_EQ(extent(100, 1), (std::vector{1, 1, 1}));
}

TEST(ValueTimings, AGainThatOneValueTakesAwayIsNone) {
  EXPECT_TRUE((ValueTimings{.own = 6.1, .others = 1.2, .isKnown = true}.hasOwnAnswers()));
  EXPECT_FALSE((ValueTimings{.own = 6.1, .others = 5.2, .isKnown = true}.hasOwnAnswers()));
  EXPECT_FALSE((ValueTimings{.own = 6.1, .others = 9.0, .isKnown = true}.hasOwnAnswers()));
  EXPECT_FALSE(ValueTimings{}.hasOwnAnswers());
}

} // namespace
} // namespace agentic
