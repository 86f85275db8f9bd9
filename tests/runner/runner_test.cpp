// Tests the results of kernels that behave: values, fills, places, times.
#include "tests/runner/runner_fixture.h"

#include <cmath>

namespace agentic::runner_test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using wire::Layout;
using wire::Prefill;

class Runner : public testing::TestWithParam<const char *> {};

TEST_P(Runner, ReturnsWhatTheKernelComputed) {
  PlanBuilder plan;
  plan.addCall(mapCall(3));
  for (const Layout layout : {Layout::AtEnd, Layout::AtBegin, Layout::Misaligned})
    plan.addStep({.layout = layout});
  const Outcome outcome = run("twice", plan, GetParam());
  ASSERT_TRUE(outcome.process.ok()) << outcome.process.describe() << outcome.process.err;
  ASSERT_EQ(outcome.steps.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_THAT(outcome.floats(i), ElementsAre(2, 4, 6, 0)); // padded to 8 bytes
    EXPECT_EQ(outcome.disturbances(i), 0u);
    EXPECT_EQ(outcome.steps[i].result.outputHash, outcome.steps[0].result.outputHash);
#if defined(__x86_64__) // elsewhere a function that calls no other may need no stack
    EXPECT_GT(outcome.steps[i].result.stackBytes, 0u);
#endif
    EXPECT_LT(outcome.steps[i].result.stackBytes, 4096u);
  }
  ASSERT_TRUE(outcome.end);
  EXPECT_EQ(outcome.end->disturbances, 0u);
}

TEST_P(Runner, HandsOverRangesObjectsAndReferences) {
  struct Params {
    double scale;
    int offset;
  };
  const std::vector<Argument> call{{wire::Role::In, "text"},
                                   {wire::Role::InOut, bytesOf(std::vector<int>{1, 2, 3})},
                                   {wire::Role::In, bytesOf(std::vector<Params>{{10, 0}})},
                                   value(Params{0, 7}),
                                   {wire::Role::Out, bytesOf(std::vector<int>{-1})}};
  const Outcome outcome = runOnce("views", call, {}, GetParam());
  ASSERT_TRUE(outcome.process.ok()) << outcome.process.describe() << outcome.process.err;
  // 3 ints, padded; the count, padded; the result.
  EXPECT_THAT(elementsOf<int>(outcome.steps.at(0).payload), ElementsAre(17, 27, 37, 0, 4, 0, 't', 0));
  EXPECT_EQ(outcome.disturbances(), 0u);
}

TEST_P(Runner, MakesContainersAndReadsThemBack) {
  const std::vector<Argument> call{{wire::Role::In, bytesOf(std::vector<float>{1, 2})},
                                   {wire::Role::InOut, bytesOf(std::vector<float>{10, 20})}};
  EXPECT_THAT(runOnce("add_vectors", call, {}, GetParam()).floats(), ElementsAre(11, 22));
  const Outcome grown = runOnce("vector_grows", call, {}, GetParam());
  EXPECT_THAT(grown.floats(), ElementsAre(10, 20, 1, 2));
  EXPECT_TRUE(grown.process.ok()) << grown.process.err;
}

TEST_P(Runner, RoundsUpwardWhereThePlanSaysSo) {
  PlanBuilder plan;
  plan.header.roundsUp = 1;
  plan.addCall({{wire::Role::In, bytesOf(std::vector<float>{1e-10f, 1})},
                {wire::Role::InOut, bytesOf(std::vector<float>{1, 20})}});
  plan.addStep();
  const Outcome outcome = run("add_vectors", plan, GetParam());
  EXPECT_THAT(outcome.floats(), ElementsAre(std::nextafter(1.0f, 2.0f), 21));
  EXPECT_EQ(outcome.disturbances(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Compilers, Runner, testing::Values(AGENTIC_TEST_CLANG, AGENTIC_TEST_GCC));

TEST(RunnerFills, OutputsAsTheStepSays) {
  PlanBuilder plan;
  plan.addCall(mapCall(4));
  plan.addStep({.prefill = Prefill::Recorded});
  plan.addStep({.prefill = Prefill::Zeros});
  plan.addStep({.prefill = Prefill::Poison, .seed = 1});
  plan.addStep({.prefill = Prefill::Poison, .seed = 2});
  plan.addStep({.prefill = Prefill::Previous, .seed = 3});
  const Outcome outcome = run("show_y", plan);
  EXPECT_THAT(outcome.floats(0), ElementsAre(-1, -2, -3, -4));
  EXPECT_THAT(outcome.floats(1), Each(0));
  EXPECT_THAT(outcome.floats(2), Each(testing::Truly([](float one) { return std::isnan(one); })));
  EXPECT_THAT(outcome.floats(3), Each(testing::Truly([](float one) { return std::isnan(one); })));
  EXPECT_NE(outcome.steps.at(2).payload, outcome.steps.at(3).payload) << "the seed does not matter";
  EXPECT_EQ(outcome.steps.at(4).payload, outcome.steps.at(3).payload) << "the previous output was not kept";
}

TEST(RunnerFills, PreviousOfASlotOnlyAndElseTheRecordedValues) {
  PlanBuilder plan;
  plan.addCall(mapCall(4));
  plan.addStep({.slot = 1, .prefill = Prefill::Zeros});
  plan.addStep({.slot = 2, .prefill = Prefill::Previous});
  plan.addStep({.slot = 1, .layout = Layout::AtBegin, .prefill = Prefill::Previous});
  plan.addStep({.slot = 1, .prefill = Prefill::Previous});
  const Outcome outcome = run("show_y", plan);
  EXPECT_THAT(outcome.floats(1), ElementsAre(-1, -2, -3, -4));
  EXPECT_THAT(outcome.floats(2), ElementsAre(-1, -2, -3, -4));
  EXPECT_THAT(outcome.floats(3), Each(0));
}

TEST(RunnerFills, PreviousContentsOfContainers) {
  PlanBuilder plan;
  plan.addCall(
      {{wire::Role::In, bytesOf(std::vector<float>{1, 2})}, {wire::Role::Out, bytesOf(std::vector<float>{10, 20})}});
  plan.addStep();
  plan.addStep({.prefill = Prefill::Previous});
  const Outcome outcome = run("add_vectors", plan);
  EXPECT_THAT(outcome.floats(0), ElementsAre(11, 22));
  EXPECT_THAT(outcome.floats(1), ElementsAre(12, 24));
}

TEST(RunnerFills, PatchesReplaceBytesForOneStep) {
  PlanBuilder plan;
  plan.addCall(mapCall(3));
  plan.addStep({}, {{0, 4, bytesOf(std::vector<float>{50})}});
  plan.addStep({}, {{2, 0, bytesOf(std::vector<long>{2})}, {1, 8, bytesOf(std::vector<float>{9})}});
  plan.addStep();
  const Outcome outcome = run("twice", plan);
  EXPECT_THAT(outcome.floats(0), ElementsAre(2, 100, 6, 0));
  EXPECT_THAT(outcome.floats(1), ElementsAre(2, 4, 9, 0));
  EXPECT_THAT(outcome.floats(2), ElementsAre(2, 4, 6, 0));
}

/// Returns x and y as the kernel saw them.
std::vector<std::uint64_t> addresses(const Outcome &outcome, std::size_t step) {
  return elementsOf<std::uint64_t>(outcome.steps.at(step).payload.substr(0, 16));
}

TEST(RunnerPlaces, TheSameSlotAndLayoutGiveTheSameAddresses) {
  PlanBuilder plan;
  plan.addCall(mapCall(10));
  for (int round = 0; round < 2; ++round)
    for (std::uint32_t slot = 0; slot < 2; ++slot)
      for (const Layout layout : {Layout::AtEnd, Layout::AtBegin, Layout::Misaligned})
        plan.addStep({.slot = slot, .layout = layout});
  const Outcome outcome = run("addresses", plan);
  ASSERT_EQ(outcome.steps.size(), 12u) << outcome.process.err;
  std::set<std::uint64_t> all;
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(addresses(outcome, i), addresses(outcome, i + 6));
    for (const std::uint64_t address : addresses(outcome, i))
      all.insert(address);
  }
  EXPECT_EQ(all.size(), 12u) << "some slot or layout shares an address with another";
  EXPECT_EQ((addresses(outcome, 0)[0] + 40) % 4096, 0u);
  EXPECT_EQ(addresses(outcome, 1)[0] % 4096, 0u);
  EXPECT_EQ(addresses(outcome, 2)[0] % 4096, 4u);
}

TEST(RunnerPlaces, BuffersLieWithinTheirPageAsTheyWereRecorded) {
  PlanBuilder plan;
  plan.addCall(mapCall(10, 0x7f0000012010, 0x7f0000034f84));
  plan.addStep({.layout = Layout::AsRecorded});
  const Outcome outcome = run("addresses", plan);
  ASSERT_EQ(outcome.steps.size(), 1u) << outcome.process.err;
  EXPECT_EQ(addresses(outcome, 0)[0] % 4096, 0x010u);
  EXPECT_EQ(addresses(outcome, 0)[1] % 4096, 0xf84u);
}

TEST(RunnerPlaces, ContainersKeepTheirAddressesAndAlignment) {
  PlanBuilder plan;
  plan.addCall({{wire::Role::In, bytesOf(std::vector<float>(6))}, {wire::Role::InOut, bytesOf(std::vector<float>(6))}});
  for (int i = 0; i < 3; ++i)
    plan.addStep({.seed = static_cast<std::uint64_t>(i)});
  const Outcome outcome = run("vector_addresses", plan);
  ASSERT_EQ(outcome.steps.size(), 3u) << outcome.process.err;
  EXPECT_EQ(addresses(outcome, 0), addresses(outcome, 1));
  EXPECT_EQ(addresses(outcome, 0), addresses(outcome, 2));
  for (const std::uint64_t address : addresses(outcome, 0))
    EXPECT_EQ(address % 4096, 4096u - 32);
}

TEST(RunnerPlaces, ArgumentsThatOverlapDoSoAgain) {
  // y = x + 1 within x's memory: memmove shifts by one.
  const Outcome outcome = runOnce("shift", mapCall(4, 0x10000, 0x10004));
  ASSERT_TRUE(outcome.process.ok()) << outcome.process.err;
  // x's elements 1 … 3 are inputs in y; the kernel writes them, as y.
  EXPECT_THAT(outcome.floats(), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(outcome.disturbances(), 0u);

  PlanBuilder plan;
  plan.addCall(mapCall(4, 0x10000, 0x10008));
  plan.addStep();
  plan.addCall(mapCall(4, 0x10000, 0x10010)); // touching is not overlapping
  plan.addStep();
  const Outcome shown = run("addresses", plan);
  EXPECT_EQ(addresses(shown, 0)[1] - addresses(shown, 0)[0], 8u);
  EXPECT_GT(addresses(shown, 1)[1] - addresses(shown, 1)[0], 4096u);
}

TEST(RunnerPlaces, RequirementsOfTheContractHoldInEveryLayout) {
  PlanBuilder plan;
  plan.addCall(mapCall(3, 0x10000, 0x20040));
  for (const Layout layout : {Layout::AtEnd, Layout::AtBegin, Layout::Misaligned})
    plan.addStep({.layout = layout});
  const Outcome outcome = run("aligned", plan);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(outcome.floats(i).at(0), 1);
}

// A struct of two floats is aligned as one: whoever reads both at once must not find it aligned for that by chance.
TEST(RunnerPlaces, MisalignedMeansAlignedForTheElementAndNoBetter) {
  const Outcome outcome = runOnce("pair_addresses", mapCall(8), {.layout = Layout::Misaligned});
  ASSERT_EQ(outcome.steps.size(), 1u) << outcome.process.err;
  for (const std::uint64_t address : addresses(outcome, 0))
    EXPECT_EQ(address % 8, 4u);
}

TEST(RunnerPlaces, NullAndEmptyBuffers) {
  std::vector<Argument> call = mapCall(0);
  EXPECT_TRUE(runOnce("twice", call).process.ok());
  EXPECT_TRUE(runOnce("twice", call, {.layout = Layout::Misaligned}).process.ok());
  call[0] = {wire::Role::Null, ""};
  EXPECT_TRUE(runOnce("twice", call).process.ok());
  call = mapCall(1);
  call[0] = {wire::Role::Null, ""};
  const Outcome fault = runOnce("twice", call);
  EXPECT_EQ(fault.process.code, 3);
  EXPECT_EQ(fault.steps.at(0).result.argument, -1);
  const Outcome empty = runOnce("add_vectors", {{wire::Role::In, ""}, {wire::Role::InOut, ""}});
  EXPECT_TRUE(empty.process.ok()) << empty.process.err;
}

TEST(RunnerTimes, EveryStepAndManyCallsOfATimedOne) {
  PlanBuilder plan;
  plan.addCall(mapCall(1000));
  plan.addStep();
  plan.addStep({.timeSeconds = 0.02});
  const Outcome outcome = run("twice", plan);
  ASSERT_EQ(outcome.steps.size(), 2u) << outcome.process.err;
  EXPECT_GT(outcome.steps[0].result.seconds, 0);
  EXPECT_EQ(outcome.steps[0].result.calls, 1u);
  EXPECT_GT(outcome.steps[1].result.seconds, 0);
  EXPECT_GT(outcome.steps[1].result.calls, 10u);
  EXPECT_EQ(outcome.steps[1].result.outputHash, outcome.steps[0].result.outputHash);
  EXPECT_EQ(outcome.steps[1].payload, "");
  EXPECT_EQ(outcome.disturbances(1), 0u);
}

TEST(RunnerTimes, WhatIsReadAndWrittenIsTheSameInEveryCall) {
  std::vector<Argument> call = mapCall(100);
  call[1].role = wire::Role::InOut;
  PlanBuilder plan;
  plan.addCall(call);
  plan.addStep({.timeSeconds = 0.01});
  plan.addStep();
  const Outcome outcome = run("accumulate", plan);
  ASSERT_EQ(outcome.steps.size(), 2u);
  EXPECT_EQ(outcome.steps[0].result.outputHash, outcome.steps[1].result.outputHash);
}

TEST(RunnerResults, HashesAloneWhereNothingElseIsAskedFor) {
  PlanBuilder plan;
  plan.addCall(mapCall(5));
  plan.addStep();
  plan.addStep({.dump = 0});
  const Outcome outcome = run("twice", plan);
  EXPECT_EQ(outcome.steps.at(1).payload, "");
  EXPECT_EQ(outcome.steps.at(1).result.outputHash, outcome.steps.at(0).result.outputHash);
  EXPECT_NE(runOnce("twice", mapCall(4)).steps.at(0).result.outputHash, outcome.steps.at(0).result.outputHash);
}

TEST(RunnerResults, ManySlotsStayWithinTheBudget) {
  PlanBuilder plan;
  plan.header.guardBytes = 32 << 20; // address space, not memory
  plan.addCall(mapCall(4));
  for (std::uint32_t slot = 0; slot < 40; ++slot)
    plan.addStep({.slot = slot});
  const Outcome outcome = run("twice", plan); // 40 slots take 5 GiB
  EXPECT_TRUE(outcome.process.ok()) << outcome.process.describe() << outcome.process.err;
  EXPECT_EQ(outcome.steps.size(), 40u);
}

} // namespace
} // namespace agentic::runner_test
