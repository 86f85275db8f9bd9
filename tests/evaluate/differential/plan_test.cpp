#include "tool/evaluate/differential/generated_calls.h"

#include "tests/evaluate/differential/bytes.h"
#include "tool/evaluate/differential/plan.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace agentic {
namespace {

using Kind = GlueParameter::Kind;
using Element = GlueParameter::Element;

/// void scale(const float *x, float *y, unsigned rows, unsigned columns) with x[rows * columns], y[rows].
GlueDescription scaleGlue() {
  GlueDescription glue;
  glue.parameters = {{.name = "x", .kind = Kind::Pointer, .element = Element::Floating, .size = 8, .elementSize = 4},
                     {.name = "y", .kind = Kind::Pointer, .element = Element::Floating, .size = 8, .elementSize = 4},
                     {.name = "rows", .kind = Kind::Scalar, .element = Element::Unsigned, .size = 4},
                     {.name = "columns", .kind = Kind::Scalar, .element = Element::Unsigned, .size = 4}};
  return glue;
}

Contract scaleContract() {
  Contract contract;
  contract.extents = {{"x", Direction::In, "rows * columns"}, {"y", Direction::Out, "rows"}};
  contract.requirements = {"columns % 4 == 0"};
  return contract;
}

PlannedCall scaleCall(unsigned rows, unsigned columns) {
  std::vector<float> x(rows * columns);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = float(i) + 1;
  PlannedCall planned;
  planned.origin = "recorded in a test";
  planned.call.arguments = {{{.role = wire::Role::In, .address = 0x1000}, bytesOf(x)},
                            {{.role = wire::Role::Out, .address = 0x900000}, bytesOf(std::vector<float>(rows))},
                            {{.role = wire::Role::Value}, bytesOf<unsigned>({rows})},
                            {{.role = wire::Role::Value}, bytesOf<unsigned>({columns})}};
  return planned;
}

unsigned scalar(const PlannedCall &call, std::size_t argument) {
  unsigned value;
  std::memcpy(&value, call.call.arguments[argument].bytes.data(), sizeof value);
  return value;
}

TEST(Plan, LeavesTheCorrectResultWhereOneInputChanges) {
  const GlueDescription glue = scaleGlue();
  const Plan plan = makePlan({.kernel = &glue, .calls = {scaleCall(3, 4)}, .seed = 5, .patchesPerArgument = 3});
  const auto isMemoTrap = [](const PlanStep &step) { return step.header.prefill == wire::Prefill::Previous; };
  EXPECT_EQ(std::ranges::count_if(plan.steps, isMemoTrap), 5);
  std::set<wire::Layout> layouts, before;
  EXPECT_EQ(plan.steps[0].header.prefill, wire::Prefill::Poison);
  for (const PlanStep &step : plan.steps) {
    if (!isMemoTrap(step)) {
      if (step.header.slot == plan.steps[0].header.slot)
        before.insert(step.header.layout);
      continue;
    }
    ASSERT_EQ(step.patches.size(), 1u);
    const PlanPatch &patch = step.patches[0];
    EXPECT_EQ(patch.argument, 0u);
    EXPECT_EQ(patch.bytes.size(), 4u);
    EXPECT_NE(std::memcmp(patch.bytes.data(), plan.calls[0].call.arguments[0].bytes.data() + patch.offset, 4), 0)
        << "nothing is changed";
    EXPECT_EQ(step.header.slot, plan.steps[0].header.slot);
    EXPECT_TRUE(before.contains(step.header.layout)) << "the addresses must be those of an earlier step";
    layouts.insert(step.header.layout);
  }
  EXPECT_EQ(layouts.size(), 3u) << "an old result is looked for wherever an allocator may put it";
}

TEST(Plan, WatchesOutputsInEveryLayoutButTheLast) {
  const GlueDescription glue = scaleGlue();
  const Plan plan = makePlan({.kernel = &glue, .calls = {scaleCall(3, 4)}, .seed = 5});
  std::set<wire::Layout> watched;
  for (const PlanStep &step : plan.steps)
    if (step.header.watchOutputs) {
      EXPECT_NE(step.header.prefill, wire::Prefill::Previous);
      watched.insert(step.header.layout);
    }
  EXPECT_EQ(watched, (std::set{wire::Layout::AtEnd, wire::Layout::AsRecorded, wire::Layout::Misaligned}));
}

TEST(Plan, VariesAddressesContentsAndAlignment) {
  const GlueDescription glue = scaleGlue();
  const Plan plan = makePlan({.kernel = &glue, .calls = {scaleCall(3, 4)}, .seed = 5});
  std::set<std::pair<std::uint32_t, wire::Layout>> places;
  std::set<std::uint64_t> seeds;
  bool rotates = false;
  for (const PlanStep &step : plan.steps) {
    places.emplace(step.header.slot, step.header.layout);
    seeds.insert(step.header.seed);
    rotates |= step.patches.size() == 1 && step.patches[0].bytes.size() == 48;
  }
  EXPECT_EQ(places.size(), 5u);
  EXPECT_EQ(seeds.size(), plan.steps.size()) << "garbage must not repeat";
  EXPECT_TRUE(rotates);
}

TEST(Plan, IsTheSameForTheSameSeedOnly) {
  const GlueDescription glue = scaleGlue();
  const auto bytes = [&](std::uint64_t seed) {
    return makePlan({.kernel = &glue, .calls = {scaleCall(3, 4)}, .seed = seed}).bytes();
  };
  EXPECT_EQ(bytes(1), bytes(1));
  EXPECT_NE(bytes(1), bytes(2));
}

TEST(Plan, KeepsToItsLimitButNeverDropsTheFirstCall) {
  const GlueDescription glue = scaleGlue();
  PlanRequest request{
      .kernel = &glue, .calls = {scaleCall(300, 400), scaleCall(3, 4), scaleCall(200, 400)}, .byteLimit = 2 << 20};
  const Plan plan = makePlan(request);
  ASSERT_EQ(plan.calls.size(), 2u);
  EXPECT_EQ(scalar(plan.calls[0], 2), 300u);
  EXPECT_EQ(scalar(plan.calls[1], 2), 3u);
  EXPECT_GE(std::ranges::count(plan.steps, 0u, [](const PlanStep &step) { return step.header.call; }), 2);
}

// A call of the memory benchmark's size must not use up what all others need.
TEST(Plan, ADearCallLeavesRoomForTheOthers) {
  const GlueDescription glue = scaleGlue();
  std::vector<PlannedCall> calls{scaleCall(3, 4), scaleCall(400, 400), scaleCall(5, 8), scaleCall(300, 300)};
  for (std::size_t limit : {std::size_t(0), std::size_t(8) << 20}) {
    calls[1].seconds = calls[3].seconds = limit == 0 ? 0.1 : 0;
    const Plan plan = makePlan({.kernel = &glue,
                                .calls = calls,
                                .patchesPerArgument = 12,
                                .byteLimit = limit,
                                .secondsLimit = limit == 0 ? 1.0 : 0.0});
    ASSERT_EQ(plan.calls.size(), 4u) << limit;
    EXPECT_LE(std::ranges::count(plan.steps, 1u, [](const PlanStep &step) { return step.header.call; }), 4) << limit;
  }
}

TEST(GeneratedCalls, HaveOtherSizesThatTheContractPermits) {
  const GlueDescription glue = scaleGlue();
  const Contract contract = scaleContract();
  const std::vector<PlannedCall> recorded{scaleCall(5, 8)};
  const GeneratedCalls generated = generateCalls(
      {.contract = &contract, .parameters = &glue.parameters, .recorded = &recorded, .seed = 3, .calls = 30});
  EXPECT_EQ(generated.none, "");
  ASSERT_GT(generated.calls.size(), 20u);
  std::set<std::pair<unsigned, unsigned>> shapes;
  for (const PlannedCall &call : generated.calls) {
    const unsigned rows = scalar(call, 2), columns = scalar(call, 3);
    shapes.emplace(rows, columns);
    EXPECT_TRUE(call.isHeldOut);
    EXPECT_EQ(columns % 4, 0u) << "the contract requires it";
    EXPECT_EQ(call.call.arguments[0].bytes.size(), std::size_t(rows) * columns * 4);
    EXPECT_EQ(call.call.arguments[1].bytes.size(), std::size_t(rows) * 4);
    EXPECT_NE(call.call.arguments[0].header.address, call.call.arguments[1].header.address);
  }
  EXPECT_GT(shapes.size(), 10u);
}

TEST(GeneratedCalls, TakeTheirElementsFromRecordedOnes) {
  const GlueDescription glue = scaleGlue();
  const Contract contract = scaleContract();
  const std::vector<PlannedCall> recorded{scaleCall(5, 8)};
  const GeneratedCalls generated = generateCalls(
      {.contract = &contract, .parameters = &glue.parameters, .recorded = &recorded, .seed = 3, .calls = 30});
  bool constant = false, descending = false;
  for (const PlannedCall &call : generated.calls) {
    std::vector<float> x(call.call.arguments[0].bytes.size() / 4);
    std::memcpy(x.data(), call.call.arguments[0].bytes.data(), x.size() * 4);
    EXPECT_TRUE(std::ranges::all_of(x, [](float value) { return value >= 1 && value <= 40; }));
    constant |= x.size() > 2 && std::ranges::count(x, x[0]) == std::ptrdiff_t(x.size());
    descending |= x.size() > 2 && x.front() > x.back() && std::ranges::is_sorted(x, std::greater());
  }
  EXPECT_TRUE(constant);
  EXPECT_TRUE(descending);
}

// Two texts that are compared end at once if each begins somewhere else.
TEST(GeneratedCalls, NeighboursOfABenchmarkHaveItsContents) {
  const GlueDescription glue = scaleGlue();
  const Contract contract = scaleContract();
  const std::vector<PlannedCall> recorded{scaleCall(50, 80)};
  const GeneratedCalls generated = generateCalls({.contract = &contract,
                                                  .parameters = &glue.parameters,
                                                  .recorded = &recorded,
                                                  .seed = 3,
                                                  .calls = 8,
                                                  .isNeighbour = true});
  const std::vector<std::byte> &whole = recorded[0].call.arguments[0].bytes;
  ASSERT_GT(generated.calls.size(), 3u);
  for (const PlannedCall &call : generated.calls) {
    const std::vector<std::byte> &part = call.call.arguments[0].bytes;
    EXPECT_TRUE(
        std::equal(part.begin(), part.begin() + std::ptrdiff_t(std::min(part.size(), whole.size())), whole.begin()));
  }
}

// A narrow counter or sum overflows only there; the result must not depend on the seed.
TEST(GeneratedCalls, OneValueEverywhereAtTheLargestRecordedSize) {
  const GlueDescription glue = scaleGlue();
  const Contract contract = scaleContract();
  const std::vector<PlannedCall> recorded{scaleCall(5, 8), scaleCall(50, 80), scaleCall(5, 16)};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const GeneratedCalls generated = generateCalls(
        {.contract = &contract, .parameters = &glue.parameters, .recorded = &recorded, .seed = seed, .calls = 14});
    EXPECT_TRUE(std::ranges::any_of(generated.calls, [](const PlannedCall &call) {
      const std::vector<std::byte> &x = call.call.arguments[0].bytes;
      return x.size() == 50 * 80 * 4 && std::equal(x.begin(), x.end() - 4, x.begin() + 4);
    })) << seed;
  }
}

// This holds even if that is more than another size may have.
TEST(GeneratedCalls, EachKindOfContentsAtTheLargestRecordedSize) {
  const GlueDescription glue = scaleGlue();
  const Contract contract = scaleContract();
  const std::vector<PlannedCall> recorded{scaleCall(5, 8), scaleCall(1'100, 1'000)};
  const GeneratedCalls generated = generateCalls({.contract = &contract,
                                                  .parameters = &glue.parameters,
                                                  .recorded = &recorded,
                                                  .seed = 1,
                                                  .calls = 7,
                                                  .byteLimit = 1u << 20});
  ASSERT_EQ(generated.calls.size(), 7u);
  for (const PlannedCall &call : generated.calls)
    EXPECT_EQ(call.call.arguments[0].bytes.size(), 1'100u * 1'000 * 4);
}

TEST(GeneratedCalls, SpecialValuesOnlyWhereTheyAreWanted) {
  const GlueDescription glue = scaleGlue();
  const Contract contract = scaleContract();
  const std::vector<PlannedCall> recorded{scaleCall(5, 8)};
  for (bool wanted : {false, true}) {
    const GeneratedCalls generated = generateCalls({.contract = &contract,
                                                    .parameters = &glue.parameters,
                                                    .recorded = &recorded,
                                                    .seed = 3,
                                                    .calls = 30,
                                                    .specialValues = wanted});
    bool found = false;
    for (const PlannedCall &call : generated.calls)
      for (std::size_t i = 0; i + 4 <= call.call.arguments[0].bytes.size(); i += 4) {
        float value;
        std::memcpy(&value, call.call.arguments[0].bytes.data() + i, 4);
        found |= value != value;
      }
    EXPECT_EQ(found, wanted);
  }
}

std::vector<float> floats(const RecordedArgument &argument) {
  std::vector<float> values(argument.bytes.size() / sizeof(float));
  std::memcpy(values.data(), argument.bytes.data(), values.size() * sizeof(float));
  return values;
}

// In a mix, an infinity hides that a maximum forgets the elements before a NaN.
TEST(GeneratedCalls, SpecialValuesStandAloneToo) {
  const GlueDescription glue = scaleGlue();
  const Contract contract = scaleContract();
  const std::vector<PlannedCall> recorded{scaleCall(5, 8)};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const GeneratedCalls generated = generateCalls({.contract = &contract,
                                                    .parameters = &glue.parameters,
                                                    .recorded = &recorded,
                                                    .seed = seed,
                                                    .calls = 7,
                                                    .specialValues = true});
    int oneNan = 0, oneInfinity = 0, denormal = 0;
    for (const PlannedCall &call : generated.calls) {
      const std::vector<float> x = floats(call.call.arguments[0]);
      const auto nans = std::ranges::count_if(x, [](float value) { return std::isnan(value); });
      const auto infinities = std::ranges::count_if(x, [](float value) { return std::isinf(value); });
      oneNan += nans == 1 && infinities == 0;
      oneInfinity += nans == 0 && infinities == 1;
      denormal +=
          std::ranges::all_of(x, [](float value) { return std::fabs(value) < std::numeric_limits<float>::min(); });
    }
    EXPECT_GE(oneNan, 1) << seed;
    EXPECT_GE(oneInfinity, 1) << seed;
    EXPECT_GE(denormal, 1) << seed;
  }
}

// A byte counter that is flushed too late wraps only if all elements are counted.
TEST(GeneratedCalls, AllElementsAreWhatTheyAreComparedWith) {
  GlueDescription glue = scaleGlue();
  PlannedCall call = scaleCall(5, 8);
  GlueParameter needle = glue.parameters[2];
  needle.name = "needle";
  glue.parameters.push_back(needle);
  RecordedArgument argument = call.call.arguments[2];
  const std::uint64_t value = 77;
  std::memcpy(argument.bytes.data(), &value, argument.bytes.size());
  call.call.arguments.push_back(argument);
  const Contract contract = scaleContract();
  const std::vector<PlannedCall> recorded{call};
  const GeneratedCalls generated = generateCalls(
      {.contract = &contract, .parameters = &glue.parameters, .recorded = &recorded, .seed = 3, .calls = 7});
  EXPECT_TRUE(std::ranges::any_of(generated.calls, [](const PlannedCall &one) {
    const std::vector<float> x = floats(one.call.arguments[0]);
    return x.size() == 40 && std::ranges::count(x, 77.0f) == 40;
  }));
}

TEST(GeneratedCalls, SayWhyThereAreNone) {
  const GlueDescription glue = scaleGlue();
  Contract contract = scaleContract();
  const std::vector<PlannedCall> recorded{scaleCall(5, 8)};
  contract.extents.pop_back();
  GenerationRequest request{.contract = &contract, .parameters = &glue.parameters, .recorded = &recorded};
  EXPECT_EQ(generateCalls(request).none, "the extent of 'y' is not declared");
  contract = scaleContract();
  contract.requirements = {"rows < 0"};
  EXPECT_EQ(generateCalls(request).none, "no other values of its parameters fulfil the contract's requirements");
}

TEST(GeneratedCalls, OverlapWhatMayAlias) {
  const GlueDescription glue = scaleGlue();
  Contract contract = scaleContract();
  const std::vector<PlannedCall> recorded{scaleCall(5, 8)};
  const auto overlapping = [&] {
    const GeneratedCalls generated = generateCalls(
        {.contract = &contract, .parameters = &glue.parameters, .recorded = &recorded, .seed = 3, .calls = 30});
    return std::ranges::count_if(generated.calls, [](const PlannedCall &call) {
      const auto &x = call.call.arguments[0], &y = call.call.arguments[1];
      return y.header.address >= x.header.address && y.header.address < x.header.address + x.bytes.size();
    });
  };
  EXPECT_EQ(overlapping(), 0);
  contract.mayAlias = {{"x", "y"}};
  EXPECT_GT(overlapping(), 0);
}

// How many elements y begins behind x, of calls in which they overlap.
std::set<std::int64_t> overlapDistances(std::uint64_t seed, int calls) {
  const GlueDescription glue = scaleGlue();
  Contract contract = scaleContract();
  contract.mayAlias = {{"x", "y"}};
  const std::vector<PlannedCall> recorded{scaleCall(20, 30)};
  std::set<std::int64_t> distances;
  for (const PlannedCall &call :
       generateCalls(
           {.contract = &contract, .parameters = &glue.parameters, .recorded = &recorded, .seed = seed, .calls = calls})
           .calls) {
    const std::int64_t x = std::int64_t(call.call.arguments[0].header.address),
                       y = std::int64_t(call.call.arguments[1].header.address);
    if (std::abs(x - y) < std::int64_t(call.call.arguments[0].bytes.size()))
      distances.insert((y - x) / std::int64_t(sizeof(float)));
  }
  return distances;
}

// Neither a verdict nor a test may depend on the seed: what is most often wrong is tried with each.
TEST(GeneratedCalls, OverlapAtTheMainDistancesWithEachSeed) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::set<std::int64_t> distances = overlapDistances(seed, 30);
    for (const std::int64_t distance : {0, 1, -1, 8, -8})
      EXPECT_TRUE(distances.contains(distance)) << distance << " with seed " << seed;
    EXPECT_GE(distances.size(), 7u) << "half of the array, both ways";
  }
}

// A variant that works in vectors of eight may be right at distances of none and one, and wrong at nine.
TEST(GeneratedCalls, OverlapAtManyDistancesBeforeAndBehind) {
  std::set<std::int64_t> distances;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    distances.merge(overlapDistances(seed, 60));
  for (const std::int64_t distance : {7, 15, 64, -3, -16, -31})
    EXPECT_TRUE(distances.contains(distance)) << distance;
}

} // namespace
} // namespace agentic
