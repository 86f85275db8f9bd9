#include "tool/evaluate/differential/other_contents.h"

#include "tests/evaluate/differential/bytes.h"
#include "tool/evaluate/differential/plan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>

namespace agentic {
namespace {

using Kind = GlueParameter::Kind;
using Element = GlueParameter::Element;
using testing::HasSubstr;

/// size_t count(const T *data, size_t n, T needle), with `data` recorded and `needle` 10.
template <class T> struct Recorded {
  GlueDescription glue;
  RecordedCall call;

  explicit Recorded(Element element, const std::vector<T> &data) {
    glue.parameters = {{.name = "data", .kind = Kind::Pointer, .element = element, .size = 8, .elementSize = sizeof(T)},
                       {.name = "n", .kind = Kind::Scalar, .element = Element::Unsigned, .size = 8},
                       {.name = "needle", .kind = Kind::Scalar, .element = element, .size = sizeof(T)}};
    call.arguments = {{{.role = wire::Role::In, .address = 0x1000}, bytesOf(data)},
                      {{.role = wire::Role::Value}, bytesOf<std::uint64_t>({data.size()})},
                      {{.role = wire::Role::Value}, bytesOf<T>({T(10)})}};
  }

  std::vector<OtherContents> contents(const ContentWishes &wishes, std::size_t most = 100) const {
    std::mt19937_64 random(3);
    return otherContents(call, glue, wishes, most, random);
  }
  /// Returns the contents with these words; empty if there are none.
  std::vector<T> data(const std::string &words, const ContentWishes &wishes) const {
    for (const OtherContents &one : contents(wishes))
      if (one.circumstance.find(words) != std::string::npos) {
        std::vector<T> values(one.patches[0].bytes.size() / sizeof(T));
        std::memcpy(values.data(), one.patches[0].bytes.data(), values.size() * sizeof(T));
        return values;
      }
    return {};
  }
};

constexpr ContentWishes kAll{.wild = true, .special = true, .magnitudes = true};

std::vector<std::uint8_t> text() {
  std::vector<std::uint8_t> data(9000);
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<std::uint8_t>('a' + i % 26);
  return data;
}

std::vector<float> levels() {
  std::vector<float> data(1000);
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = float(int(i * 7919 % 400) - 200) / 100;
  return data;
}

// A byte counter that is flushed too late wraps only if all elements are counted.
TEST(OtherContents, AScalarsValueEverywhere) {
  const Recorded<std::uint8_t> recorded(Element::Unsigned, text());
  EXPECT_EQ(recorded.data("the value of 'needle'", kAll), std::vector<std::uint8_t>(9000, 10));
  EXPECT_EQ(recorded.data("the value of 'n'", kAll), std::vector<std::uint8_t>()) << "9000 is no byte";
}

TEST(OtherContents, EveryIntegerOfTheType) {
  const Recorded<std::uint8_t> bytes(Element::Unsigned, text());
  EXPECT_EQ(bytes.data("all bits set", kAll), std::vector<std::uint8_t>(9000, 255));
  EXPECT_EQ(bytes.data("nothing but zeros", kAll), std::vector<std::uint8_t>(9000, 0));
  const std::vector<std::uint8_t> any = bytes.data("any bits", kAll);
  EXPECT_GT(std::ranges::count_if(any, [](std::uint8_t value) { return value > 127; }), 3000);
  const Recorded<std::int16_t> words(Element::Signed, {1, 2, 3});
  EXPECT_EQ(words.data("the smallest value", kAll), std::vector<std::int16_t>(3, -32768));
  EXPECT_EQ(words.data("the largest value", kAll), std::vector<std::int16_t>(3, 32767));
}

// Only the project's own contents are used if nothing detects undefined behaviour.
TEST(OtherContents, KeepToTheProjectsOwnElementsUnlessMoreIsWished) {
  const Recorded<std::uint8_t> recorded(Element::Unsigned, text());
  const std::vector<std::uint8_t> own = text();
  for (const OtherContents &one : recorded.contents({}))
    for (const std::byte value : one.patches[0].bytes)
      ASSERT_TRUE(value == std::byte{0} || std::ranges::find(own, std::uint8_t(value)) != own.end())
          << one.circumstance;
}

// A value that a NaN wipes out must not occur again: no second element is as large, and the largest is in its lane.
TEST(OtherContents, OneNanBehindTheLargestOfItsLane) {
  const Recorded<float> recorded(Element::Floating, levels());
  const std::vector<float> data = recorded.data("falling elements and one NaN", kAll);
  ASSERT_EQ(data.size(), 1000u);
  EXPECT_EQ(std::ranges::count_if(data, [](float value) { return std::isnan(value); }), 1);
  EXPECT_TRUE(std::isnan(data[64]));
  EXPECT_TRUE(std::ranges::all_of(data.begin() + 1, data.end(), [&](float value) { return !(value >= data[0]); }));
  EXPECT_FLOAT_EQ(data[0], 1.99f);
}

TEST(OtherContents, SpecialValuesEachAlone) {
  const Recorded<float> recorded(Element::Floating, levels());
  int oneNan = 0, oneInfinity = 0, together = 0;
  for (const OtherContents &one : recorded.contents(kAll)) {
    std::vector<float> values(one.patches[0].bytes.size() / 4);
    std::memcpy(values.data(), one.patches[0].bytes.data(), values.size() * 4);
    const auto nans = std::ranges::count_if(values, [](float value) { return std::isnan(value); });
    const auto infinities = std::ranges::count_if(values, [](float value) { return std::isinf(value); });
    oneNan += nans == 1 && infinities == 0;
    oneInfinity += nans == 0 && infinities == 1;
    together += nans > 0 && infinities > 0;
  }
  EXPECT_EQ(oneNan, 4);
  EXPECT_GT(recorded.data("NaNs with all bits set among its elements", kAll).size(), 0u);
  EXPECT_EQ(oneInfinity, 2);
  EXPECT_EQ(together, 0);
  const std::vector<float> zeros = recorded.data("zeros of both signs", kAll);
  EXPECT_TRUE(std::ranges::any_of(zeros, [](float value) { return std::signbit(value); }));
  EXPECT_TRUE(std::ranges::any_of(zeros, [](float value) { return !std::signbit(value); }));
  const std::vector<float> denormal = recorded.data("denormal numbers", kAll);
  ASSERT_FALSE(denormal.empty());
  EXPECT_TRUE(
      std::ranges::all_of(denormal, [](float value) { return std::fabs(value) < std::numeric_limits<float>::min(); }));
  EXPECT_TRUE(recorded.data("NaN", {.wild = true, .special = false, .magnitudes = true}).empty());
  EXPECT_TRUE(recorded.data("denormal", {.wild = true, .special = true, .magnitudes = false}).empty());
}

// Code that rounds a NaN's bits up makes a zero or an infinity of some, and the usual one stays a NaN.
TEST(OtherContents, NansOfAllPayloadsAndSignsButNeverTwoKindsAtOnce) {
  const Recorded<float> recorded(Element::Floating, levels());
  std::set<std::uint32_t> all;
  for (const OtherContents &one : recorded.contents(kAll)) {
    std::set<std::uint32_t> kinds;
    for (std::size_t i = 0; i < one.patches[0].bytes.size(); i += 4) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, one.patches[0].bytes.data() + i, 4);
      if (std::isnan(std::bit_cast<float>(bits)))
        kinds.insert(bits);
    }
    EXPECT_LE(kinds.size(), 1u) << one.circumstance;
    all.merge(kinds);
  }
  EXPECT_EQ(all, (std::set<std::uint32_t>{0x7fc00000, 0x7fc00001, 0x7fffffff, 0xffffffff}));
}

TEST(OtherContents, AnyBitsOfFloatsWhereResultsAreComparedBitForBit) {
  const Recorded<float> recorded(Element::Floating, levels());
  const std::vector<float> any = recorded.data("any bits", kAll);
  ASSERT_EQ(any.size(), 1000u);
  EXPECT_GT(std::ranges::count_if(any, [](float value) { return std::fabs(value) > 1e20f; }), 100);
  EXPECT_GT(std::ranges::count_if(any, [](float value) { return std::fabs(value) < 1e-20f; }), 100);
  EXPECT_TRUE(recorded.data("any bits", {.wild = true, .special = true}).empty());
}

template <class T> std::set<std::size_t> runsOf(const std::vector<T> &values) {
  std::set<std::size_t> runs;
  for (std::size_t i = 0, begin = 0; i < values.size(); ++i)
    if (i + 1 == values.size() || values[i + 1] != values[i])
      runs.insert(i + 1 - begin), begin = i + 1;
  return runs;
}

// A one-byte count of a run is wrong at 255, 256, or twice 255, and at no other length.
TEST(OtherContents, RunsOfTheLengthsThatCountersAndBlocksHave) {
  const auto runsIn = [](std::size_t size) {
    std::vector<std::uint8_t> data(size);
    for (std::size_t i = 0; i < size; ++i)
      data[i] = static_cast<std::uint8_t>(i / 120 * 7); // two runs could become one
    return runsOf(Recorded<std::uint8_t>(Element::Unsigned, data).data("runs of its elements", kAll));
  };
  const std::set<std::size_t> large = runsIn(8192), medium = runsIn(1000), small = runsIn(600);
  for (const std::size_t block : {8u, 16u, 32u, 64u, 128u, 256u, 512u})
    for (const std::size_t run : {block - 1, block, block + 1})
      EXPECT_TRUE(large.contains(run)) << run;
  EXPECT_TRUE(large.contains(2 * 255));
  for (const std::size_t run : {255u, 256u, 257u})
    EXPECT_TRUE(medium.contains(run)) << run;
  EXPECT_TRUE(small.contains(255));
  EXPECT_TRUE(runsIn(120).empty()) << "all are equal";
}

// A test for digits that is one too wide takes ':' for one, which nothing else in otherwise valid data shows.
TEST(OtherContents, SingleValuesBesideTheClassesOfTheData) {
  std::vector<std::uint8_t> data(9000);
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<std::uint8_t>(i % 12 == 11 ? ',' : '0' + i * 7 % 10);
  const Recorded<std::uint8_t> recorded(Element::Unsigned, data);
  std::map<std::pair<int, int>, std::set<std::size_t>> places;
  int changes = 0;
  for (const OtherContents &one : recorded.contents(kAll))
    if (const PlanPatch &patch = one.patches[0]; patch.bytes.size() == 1) {
      ++changes;
      places[{data[patch.offset], std::to_integer<int>(patch.bytes[0])}].insert(patch.offset);
    }
  EXPECT_EQ(changes, 16);
  EXPECT_EQ(places.size(), 4u);
  for (const auto &[recordedValue, value] : {std::pair('9', ':'), {'0', '/'}, {',', '-'}, {',', '+'}})
    EXPECT_GE((places[{recordedValue, value}].size()), 2u) << value;
  EXPECT_FALSE(std::ranges::any_of(recorded.contents({}), [](const OtherContents &one) {
    return one.patches[0].bytes.size() == 1;
  })) << "the trapping build approves them";
}

TEST(OtherContents, WideIntegersAreOneClassAndExtremesHaveNoNeighbour) {
  const Recorded<std::int32_t> recorded(Element::Signed, {5, -3, 900, 5});
  EXPECT_EQ(recorded.data("901 instead of 900", kAll), std::vector<std::int32_t>{901});
  EXPECT_EQ(recorded.data("-4 instead of -3", kAll), std::vector<std::int32_t>{-4});
  EXPECT_TRUE(recorded.data("6 instead of", kAll).empty());
  const Recorded<std::uint8_t> all(Element::Unsigned, {0, 255, 254, 1});
  EXPECT_FALSE(all.data("2 instead of 1 ", kAll).empty());
  EXPECT_TRUE(all.data("instead of 0 ", kAll).empty() && all.data("instead of 255 ", kAll).empty());
  const Recorded<std::uint8_t> sparse(Element::Unsigned, {7, 14, 21, 28, 35, 42, 49, 56, 63});
  EXPECT_TRUE(sparse.data("15 instead of 14 ", kAll).empty());
  EXPECT_FALSE(sparse.data("64 instead of 63 ", kAll).empty());
}

// Limits are for the others: these cost a call, but no memory.
TEST(OtherContents, SingleChangesAreAThirdOnTop) {
  const Recorded<std::uint8_t> recorded(Element::Unsigned, text());
  EXPECT_EQ(recorded.contents(kAll, 7).size(), 7u + 2u);
  EXPECT_EQ(recorded.contents(kAll, 2).size(), 2u);
}

// Where a tolerance is declared, too: truncation is right for data that are not negative, and any rounding without
// halves.
TEST(OtherContents, OtherSignsAndHalves) {
  constexpr ContentWishes kWild{.wild = true};
  std::vector<float> rising(1000);
  for (std::size_t i = 0; i < rising.size(); ++i)
    rising[i] = float(i) * 0.37f;
  const Recorded<float> recorded(Element::Floating, rising);
  const std::vector<float> others = recorded.data("its elements with the other sign", kWild);
  ASSERT_EQ(others.size(), rising.size());
  EXPECT_EQ(others[7], -rising[7]);
  const std::vector<float> halves = recorded.data("multiples of one half", kWild);
  ASSERT_EQ(halves.size(), rising.size());
  EXPECT_TRUE(std::ranges::all_of(halves, [](float value) { return 2 * value == std::floor(2 * value); }));
  EXPECT_GT(std::ranges::count_if(halves, [](float value) { return value < 0 && value != std::floor(value); }), 100);
  EXPECT_LE(*std::ranges::max_element(halves), 370);
  EXPECT_TRUE(recorded.data("other sign", {}).empty());
  // 'needle' is 10: quantizing multiplies with a scalar, or divides by it.
  const std::vector<float> scaled = recorded.data("halves times 'needle'", kWild);
  ASSERT_EQ(scaled.size(), rising.size());
  int odd = 0;
  for (std::size_t i = 0; i < scaled.size(); i += 2)
    odd += std::fabs(scaled[i] * 10) - std::floor(std::fabs(scaled[i] * 10)) == 0.5f;
  EXPECT_GT(odd, 100);
}

TEST(OtherContents, EachArrayAndThenAllOfThem) {
  Recorded<std::int32_t> recorded(Element::Signed, {1, 2, 3, 4});
  recorded.glue.parameters[1] = recorded.glue.parameters[0];
  recorded.glue.parameters[1].name = "other";
  recorded.call.arguments[1] = {{.role = wire::Role::InOut, .address = 0x9000}, bytesOf<std::int32_t>({5, 6, 7})};
  recorded.glue.parameters.push_back(recorded.glue.parameters[0]);
  recorded.call.arguments.push_back({{.role = wire::Role::Out, .address = 0x19000}, bytesOf<std::int32_t>({0, 0})});
  int data = 0, other = 0, both = 0;
  for (const OtherContents &one : recorded.contents(kAll)) {
    if (!one.circumstance.ends_with("nothing but zeros"))
      continue;
    data += one.circumstance.starts_with("when 'data'") && one.patches.size() == 1;
    other += one.circumstance.starts_with("when 'other'") && one.patches[0].argument == 1;
    both += one.circumstance.starts_with("when the inputs hold") && one.patches.size() == 2;
  }
  EXPECT_EQ(data, 1);
  EXPECT_EQ(other, 1);
  EXPECT_EQ(both, 1);
  EXPECT_EQ(recorded.contents(kAll, 5).size(), 5u + 1u) << "and a single change";
}

// A conversion that has no infinities is wrong for some of a member's values only; other members must stay. A narrow
// sum of products is wrong only if all members are large.
TEST(OtherContents, EachMemberOfAStructAloneAndAllAtOnce) {
  struct Block {
    std::int16_t scale;
    std::uint8_t values[4];
  };
  Recorded<std::uint8_t> recorded(Element::Unsigned, {});
  recorded.glue.parameters[0] = {.name = "blocks",
                                 .kind = Kind::Pointer,
                                 .element = Element::Bytes,
                                 .size = 8,
                                 .elementSize = sizeof(Block),
                                 .members = {{"scale", Element::Signed, 0, 2, 1},
                                             {"values", Element::Unsigned, 2, 1, 4},
                                             {"broken", Element::Unsigned, 5, 4, 1}}};
  recorded.call.arguments[0].bytes = bytesOf<Block>({{7, {1, 2, 3, 4}}, {8, {5, 6, 7, 8}}});
  bool hasSmallest = false, hasBits = false, hasAll = false;
  for (const OtherContents &one : recorded.contents(kAll)) {
    EXPECT_THAT(one.circumstance, testing::Not(HasSubstr("broken")));
    std::vector<Block> blocks(2);
    ASSERT_EQ(one.patches.size(), 1u);
    std::memcpy(blocks.data(), one.patches[0].bytes.data(), 2 * sizeof(Block));
    if (one.circumstance == "when 'blocks.scale' holds nothing but the smallest value") {
      hasSmallest = true;
      EXPECT_EQ(blocks[0].scale, -32768);
      EXPECT_EQ(blocks[1].values[3], 8);
    } else if (one.circumstance == "when 'blocks.values' holds elements with all bits set") {
      hasBits = true;
      EXPECT_EQ(blocks[1].values[0], 255);
      EXPECT_EQ(blocks[1].scale, 8);
    } else if (one.circumstance == "when 'blocks' holds nothing but the largest value") {
      hasAll = true;
      EXPECT_EQ(blocks[0].scale, 32767);
      EXPECT_EQ(blocks[1].values[3], 255);
    }
  }
  EXPECT_TRUE(hasAll);
  EXPECT_TRUE(hasSmallest);
  EXPECT_TRUE(hasBits);
}

// Each array alone is the other's equal in half of its bits: only opposite ones differ in all.
TEST(OtherContents, OppositeExtremes) {
  Recorded<std::uint64_t> recorded(Element::Unsigned, std::vector<std::uint64_t>(40000, 5));
  recorded.glue.parameters[1] = recorded.glue.parameters[0];
  recorded.glue.parameters[1].name = "other";
  recorded.call.arguments[1] = recorded.call.arguments[0];
  std::mt19937_64 random(1);
  int apart = 0, alike = 0;
  const std::vector<OtherContents> extremes = extremeContents(recorded.call, recorded.glue, random);
  for (const OtherContents &one : extremes) {
    ASSERT_EQ(one.patches.size(), 2u) << one.circumstance;
    const std::byte left = one.patches[0].bytes[77], right = one.patches[1].bytes[77];
    apart += (left ^ right) == std::byte{0xff};
    alike += left == right && left == std::byte{0xff};
  }
  EXPECT_EQ(apart, 2) << "and the other way round";
  EXPECT_EQ(alike, 1);
  EXPECT_EQ(extremes.size(), 3u);
  EXPECT_TRUE(std::ranges::any_of(recorded.contents(kAll), [](const OtherContents &one) {
    return one.circumstance == "when the inputs by turns hold nothing but zeros and elements with all bits set";
  }));
}

TEST(OtherContents, ArePlannedForTheLargestCallThatIsNeitherLargeNorDear) {
  const Recorded<std::uint8_t> small(Element::Unsigned, {1, 2, 3}), fit(Element::Unsigned, text()),
      large(Element::Unsigned, std::vector<std::uint8_t>(kMostContentBytes + 1)), dear(Element::Unsigned, [] {
        std::vector<std::uint8_t> data = text();
        data.resize(10000, 'x');
        return data;
      }());
  const Plan plan = makePlan({.kernel = &fit.glue,
                              .calls = {{.call = large.call, .isHeldOut = false, .origin = {}},
                                        {.call = small.call, .isHeldOut = false, .origin = {}},
                                        {.call = dear.call, .isHeldOut = false, .origin = {}, .seconds = 0.015},
                                        {.call = fit.call, .isHeldOut = false, .origin = {}}},
                              .contents = kAll,
                              .contentCalls = 1,
                              .contentSteps = 8,
                              .secondsLimit = 0.4});
  int contents = 0, extremes = 0, splices = 0, singleChanges = 0;
  for (const PlanStep &step : plan.steps)
    if (step.hasOtherContents && step.header.call == 0) {
      ++extremes;
      EXPECT_EQ(step.circumstance, "when the inputs hold elements with all bits set");
    } else if (step.hasOtherContents) {
      const bool isSplice = step.circumstance.find("a shorter recorded input") != std::string::npos;
      const bool isSingle = step.circumstance.ends_with("in one place");
      ++(isSplice ? splices : isSingle ? singleChanges : contents);
      EXPECT_EQ(step.header.call, 3u) << "the dear one would get 6 of them only";
      EXPECT_THAT(step.circumstance, HasSubstr("'data' holds"));
    }
  EXPECT_EQ(contents, 8);
  EXPECT_EQ(splices, 2) << "a quarter as many on top";
  EXPECT_EQ(singleChanges, 2) << "a third as many on top";
  EXPECT_EQ(extremes, 1) << "of the largest call, since sums over it may overflow";
}

// An index out of range is not tried again; sums that overflow say nothing about other contents.
TEST(OtherContents, WhatTheBaselineDoesNotSurviveIsTakenOut) {
  const auto step = [](std::string circumstance, std::size_t argument, bool hasOtherContents) {
    PlanStep made;
    made.circumstance = std::move(circumstance);
    made.patches = {{argument, 0, {}}};
    made.hasOtherContents = hasOtherContents;
    return made;
  };
  const std::vector<PlanStep> steps = {step("changed", 0, false), step("ones", 0, true), step("largest", 0, true),
                                       step("ones", 1, true),     step("ones", 0, true), step("changed", 0, false)};
  Plan fault{.calls = {PlannedCall()}, .steps = steps}, trap = fault, changed = fault;
  EXPECT_EQ(dropStep(fault, 1, StepEnd::Access), 4);
  EXPECT_EQ(fault.steps.size(), 2u) << "single changes stay";
  EXPECT_EQ(dropStep(trap, 1, StepEnd::Trap), 3);
  EXPECT_EQ(trap.steps[1].circumstance, "largest");
  EXPECT_EQ(dropStep(changed, 0, StepEnd::Access), 2);
  EXPECT_EQ(changed.steps.size(), 4u);
}

} // namespace
} // namespace agentic
