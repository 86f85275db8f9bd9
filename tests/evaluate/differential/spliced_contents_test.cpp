#include "tool/evaluate/differential/spliced_contents.h"

#include "tests/evaluate/differential/bytes.h"
#include "tool/evaluate/differential/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace agentic {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// bool valid(const uint8_t *text, size_t n)
struct Texts {
  GlueDescription glue;
  RecordedCall longCall = callOf(Bytes(5000, 'a')), shortCall = callOf({0xe2, 0x82});

  Texts() {
    glue.parameters = {
        {.name = "text",
         .kind = GlueParameter::Kind::Pointer,
         .element = GlueParameter::Element::Unsigned,
         .size = 8,
         .elementSize = 1},
        {.name = "n", .kind = GlueParameter::Kind::Scalar, .element = GlueParameter::Element::Unsigned, .size = 8}};
  }

  static RecordedCall callOf(const Bytes &text) {
    RecordedCall call;
    call.arguments = {{{.role = wire::Role::In, .address = 0x1000}, bytesOf(text)},
                      {{.role = wire::Role::Value}, bytesOf<std::uint64_t>({text.size()})}};
    return call;
  }

  std::vector<OtherContents> contents(std::size_t most = 1000) const {
    std::mt19937_64 random(5);
    return splicedContents(longCall, glue, {&longCall, &shortCall}, most, random);
  }
};

std::vector<std::byte> patched(const RecordedCall &call, const PlanPatch &patch) {
  std::vector<std::byte> bytes = call.arguments[patch.argument].bytes;
  EXPECT_LE(patch.offset + patch.bytes.size(), bytes.size());
  std::ranges::copy(patch.bytes, bytes.begin() + std::ptrdiff_t(patch.offset));
  return bytes;
}

// A state that a block of 256 ASCII bytes resets shows only where the cut-off sequence is the end of a block.
TEST(SplicedContents, AShortInputAtEveryBorder) {
  const Texts texts;
  std::set<std::size_t> places;
  for (const OtherContents &one : texts.contents()) {
    ASSERT_EQ(one.patches.size(), 1u);
    const std::vector<std::byte> bytes = patched(texts.longCall, one.patches[0]);
    const auto first = std::ranges::find(bytes, std::byte{0xe2});
    ASSERT_NE(first, bytes.end());
    EXPECT_EQ(first[1], std::byte{0x82});
    EXPECT_EQ(bytes.size(), 5000u);
    EXPECT_EQ(std::ranges::count(bytes, std::byte{'a'}), 4998);
    places.insert(std::size_t(first - bytes.begin()));
  }
  for (const std::size_t place : {15, 16, 31, 63, 64, 254, 255, 256, 511, 512, 1023, 1024, 4998})
    EXPECT_TRUE(places.contains(place)) << place;
}

TEST(SplicedContents, HalfOfThemAmongEqualBytes) {
  Texts texts;
  texts.longCall.arguments[0].bytes[3000] = std::byte{'b'};
  const std::vector<OtherContents> all = texts.contents();
  const auto hasB = [&](const OtherContents &one) {
    return std::ranges::count(patched(texts.longCall, one.patches[0]), std::byte{'b'}) == 1;
  };
  EXPECT_EQ(std::size_t(std::ranges::count_if(all, hasB)), (all.size() + 1) / 2);
}

TEST(SplicedContents, OnlyBytesOnlyShorterOnesAndNotTooMany) {
  Texts texts;
  EXPECT_EQ(texts.contents(7).size(), 7u);
  texts.glue.parameters[0].elementSize = 2;
  EXPECT_TRUE(texts.contents().empty());
  texts.glue.parameters[0].elementSize = 1;
  texts.shortCall = Texts::callOf(Bytes(65, 'x'));
  EXPECT_TRUE(texts.contents().empty());
  texts.shortCall = Texts::callOf({});
  EXPECT_TRUE(texts.contents().empty());
}

TEST(SplicedContents, AreInThePlan) {
  const Texts texts;
  PlanRequest request{.kernel = &texts.glue, .contentCalls = 1, .contentSteps = 40};
  for (const RecordedCall *call : {&texts.longCall, &texts.shortCall})
    request.calls.push_back({.call = *call, .isHeldOut = false, .origin = "recorded in a test"});
  request.contents.wild = true;
  EXPECT_TRUE(std::ranges::any_of(makePlan(request).steps, [](const PlanStep &step) {
    return step.hasOtherContents && step.circumstance.find("a shorter recorded input") != std::string::npos;
  }));
  request.contents.wild = false;
  EXPECT_FALSE(std::ranges::any_of(makePlan(request).steps, [](const PlanStep &step) {
    return step.circumstance.find("a shorter recorded input") != std::string::npos;
  })) << "the trapping build approves them";
}

} // namespace
} // namespace agentic
