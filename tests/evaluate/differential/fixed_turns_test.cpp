#include "tests/evaluate/differential/bytes.h"
#include "tool/evaluate/differential/expectation.h"
#include "tool/evaluate/differential/generated_calls.h"
#include "tool/evaluate/differential/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>

namespace agentic {
namespace {

using Kind = GlueParameter::Kind;
using Element = GlueParameter::Element;

/// void f(const uint8_t *in, uint8_t *out, size_t n, unsigned bits): in has (n * bits + 7) / 8 elements, out has n;
/// called with n = 400, bits = 5.
struct PackedCall {
  GlueDescription kernel;
  Contract contract;
  std::vector<PlannedCall> calls;

  PackedCall() {
    kernel.parameters = {
        {.name = "in", .kind = Kind::Pointer, .element = Element::Unsigned, .size = 8, .elementSize = 1},
        {.name = "out", .kind = Kind::Pointer, .element = Element::Unsigned, .size = 8, .elementSize = 1},
        {.name = "n", .kind = Kind::Scalar, .element = Element::Unsigned, .size = 8},
        {.name = "bits", .kind = Kind::Scalar, .element = Element::Unsigned, .size = 4}};
    contract.extents = {{"in", Direction::In, "(n * bits + 7) / 8"}, {"out", Direction::Out, "n"}};
    contract.requirements = {"bits >= 1 && bits <= 32"};
    std::vector<std::uint8_t> in(250);
    std::iota(in.begin(), in.end(), std::uint8_t(1));
    RecordedCall call;
    call.arguments = {{{.role = wire::Role::In, .address = 0x1000}, bytesOf(in)},
                      {{.role = wire::Role::Out, .address = 0x9000}, bytesOf(std::vector<std::uint8_t>(400))},
                      {{.role = wire::Role::Value}, bytesOf<std::uint64_t>({400})},
                      {{.role = wire::Role::Value}, bytesOf<std::uint32_t>({5})}};
    calls.push_back({.call = std::move(call), .isHeldOut = false, .origin = "recorded in a test"});
  }

  /// Without any other call.
  std::vector<PlannedCall> turns(std::uint64_t seed = 1, const char *text = "") const {
    return generateCalls({.contract = &contract,
                          .parameters = &kernel.parameters,
                          .recorded = &calls,
                          .seed = seed,
                          .calls = 0,
                          .hasFixedTurns = true,
                          .text = text})
        .calls;
  }
};

std::uint64_t number(const PlannedCall &call, std::size_t argument) {
  std::uint64_t value = 0;
  std::memcpy(&value, call.call.arguments[argument].bytes.data(), call.call.arguments[argument].bytes.size());
  return value;
}

std::set<std::uint64_t> numbers(const std::vector<PlannedCall> &calls, std::size_t argument) {
  std::set<std::uint64_t> all;
  for (const PlannedCall &call : calls)
    all.insert(number(call, argument));
  return all;
}

// A wrong path for the ends of the permitted range must not be found by luck.
TEST(FixedTurns, SizesAtTheirBoundsWithEachSeed) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const std::vector<PlannedCall> calls = PackedCall().turns(seed, "if (n < 16) return;");
    EXPECT_THAT(numbers(calls, 2), testing::IsSupersetOf({0, 1, 15, 16, 17})) << seed;
    const std::set<std::uint64_t> bits = numbers(calls, 3);
    EXPECT_THAT(bits, testing::IsSupersetOf({1, 2, 31, 32})) << seed;
    EXPECT_FALSE(bits.contains(0) || bits.contains(33)) << "the contract forbids it";
    for (const PlannedCall &call : calls) {
      EXPECT_TRUE(call.isHeldOut);
      EXPECT_LE(call.mostSteps, 4u);
      EXPECT_TRUE(number(call, 2) == 400 || number(call, 3) == 5) << "one size at a time";
      EXPECT_EQ(call.call.arguments[0].bytes.size(), (number(call, 2) * number(call, 3) + 7) / 8);
      EXPECT_EQ(call.call.arguments[1].bytes.size(), number(call, 2));
    }
  }
}

// A narrow sum may hold what any recorded call adds up.
TEST(FixedTurns, MuchLongerArraysWithExtremes) {
  PackedCall packed;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const std::vector<PlannedCall> calls = packed.turns(seed);
    EXPECT_TRUE(std::ranges::any_of(calls, [](const PlannedCall &call) {
      return number(call, 2) >= 16 * 400 && number(call, 2) <= 32 * 400 && call.wantsExtremes;
    })) << seed;
  }
  packed.calls[0].seconds = 1e-3; // its square may be meant
  EXPECT_LE(*numbers(packed.turns(), 2).rbegin(), 5u * 400);
  packed.calls[0].seconds = 1;
  EXPECT_TRUE(packed.turns().empty());
}

TEST(FixedTurns, ExtremesFillTheLongerCall) {
  PackedCall packed;
  Plan plan = makePlan({.kernel = &packed.kernel,
                        .calls = packed.turns(),
                        .extremes = true,
                        .contents = {.wild = true},
                        .byteLimit = 64u << 20,
                        .secondsLimit = 1});
  EXPECT_TRUE(std::ranges::any_of(plan.steps, [&](const PlanStep &step) {
    const PlannedCall &call = plan.calls[step.header.call];
    return call.wantsExtremes && step.hasOtherContents && step.patches.size() == 1 &&
           step.patches[0].bytes.size() == call.call.arguments[0].bytes.size() &&
           std::ranges::all_of(step.patches[0].bytes, [](std::byte one) { return one == std::byte{255}; });
  }));
  for (std::size_t i = 0; i < plan.calls.size(); ++i)
    EXPECT_LE(std::ranges::count_if(
                  plan.steps, [&](const PlanStep &step) { return step.header.call == i && !step.hasOtherContents; }),
              std::ptrdiff_t(plan.calls[i].mostSteps));
}

// A guard that is one vector too short is wrong at few distances only.
TEST(FixedTurns, OverlapsByAboutAVector) {
  PackedCall packed;
  packed.contract.mayAlias = {{"in", "out"}};
  std::set<std::int64_t> distances;
  for (const PlannedCall &call : packed.turns())
    if (const auto distance =
            std::int64_t(call.call.arguments[1].header.address) - std::int64_t(call.call.arguments[0].header.address);
        std::abs(distance) < 250)
      distances.insert(distance);
  EXPECT_THAT(distances, testing::ElementsAre(-16, -15, -8, -1, 0, 1, 8, 15, 16));
}

TEST(FaultText, NamesTheByteRightBehindTheEnd) {
  wire::StepResult fault;
  fault.argument = 0;
  fault.offset = 8;
  const std::size_t bytes[] = {8};
  const std::string names[] = {"in"};
  EXPECT_EQ(faultText(fault, bytes, names), "reads the byte right behind the last element of 'in'");
  fault.offset = 9;
  EXPECT_EQ(faultText(fault, bytes, names), "reads 1 bytes behind the last element of 'in'");
}

} // namespace
} // namespace agentic
