#include "tool/evaluate/benchmark/physical_floor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

/// 100 GB/s within 1 MB, 10 GB/s beyond.
Roofline machine() {
  return {.cpu = "a CPU", .levels = {{"L2", 1e6, 100e9}, {"memory", 0, 10e9}}, .flopsPerSecond = 1e9};
}

Measurement claim(double ratio) {
  Measurement measurement;
  measurement.benchmarks = {{.benchmark = "BM_Small", .speedup = {.ratio = 2}},
                            {.benchmark = "BM", .speedup = {.ratio = ratio}}};
  return measurement;
}

TEST(LeastShare, IsWhatChanceLeaves) {
  EXPECT_EQ(leastShare(0, 0), 0);
  EXPECT_EQ(leastShare(0, 50), 0);
  EXPECT_NEAR(leastShare(1, 1), 0.05, 1e-3);
  EXPECT_NEAR(leastShare(2, 2), 0.2236, 1e-3); // the square root of 0.05
  EXPECT_NEAR(leastShare(12, 12), 0.7791, 1e-3);
  EXPECT_NEAR(leastShare(5, 10), 0.2224, 1e-3); // as tables have it
  EXPECT_LT(leastShare(11, 12), leastShare(12, 12));
}

TEST(PhysicalFloor, AClaimThatTheMachineCannotMeetIsNamed) {
  // 200 kB in 1 ms: 1 us at twice 100 GB/s, so 1000 times at most.
  const BenchmarkCall call{.movedBytes = 200e3, .callBytes = 400e3, .seconds = 1e-3};
  EXPECT_EQ(beyondMachine(claim(900), {&call, 1}, machine()), "");
  EXPECT_THAT(beyondMachine(claim(1100), {&call, 1}, machine()),
              testing::HasSubstr("BM is claimed to be 1100 times as fast, and at most 1000 times is possible"));
}

TEST(PhysicalFloor, TheCallThatPermitsMostDecides) {
  const BenchmarkCall calls[] = {{.movedBytes = 200e3, .callBytes = 400e3, .seconds = 1e-3},
                                 {.movedBytes = 200e3, .callBytes = 400e3, .seconds = 5e-3}};
  EXPECT_EQ(beyondMachine(claim(4000), calls, machine()), "");
  EXPECT_NE(beyondMachine(claim(6000), calls, machine()), "");
}

TEST(PhysicalFloor, NothingIsSaidWhereSomethingIsNotKnown) {
  const BenchmarkCall known{.movedBytes = 200e3, .callBytes = 400e3, .seconds = 1e-3};
  const BenchmarkCall calls[] = {known, {.movedBytes = 0, .callBytes = 400e3, .seconds = 1e-3}};
  EXPECT_EQ(beyondMachine(claim(1e6), calls, machine()), "");
  EXPECT_EQ(beyondMachine(claim(1e6), {}, machine()), "");
  EXPECT_EQ(beyondMachine(claim(1e6), {&known, 1}, Roofline()), "");
}

TEST(Headroom, IsThatOfTheCallThatPermitsMost) {
  const BenchmarkCall calls[] = {{.movedBytes = 200e3, .callBytes = 400e3, .seconds = 1e-3},
                                 {.movedBytes = 200e3, .callBytes = 400e3, .seconds = 5e-3}};
  const std::optional<Headroom> found = headroomOf(calls, machine());
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->largestSpeedup, 5000, 1e-6);
  EXPECT_EQ(headroomText(found),
            "headroom: at most 5000 times as fast as the unchanged kernel: a call's results depend "
            "on at least 200000 bytes, for which this machine takes 1 us, and it takes 5000 us");
  EXPECT_THAT(headroomText(headroomOf({}, machine())), testing::HasSubstr("headroom: not known"));
}

// What is faster than measured bandwidth permits has none left, and not less than none.
TEST(Headroom, IsNeverBelowOne) {
  const BenchmarkCall call{.movedBytes = 200e3, .callBytes = 400e3, .seconds = 1e-7};
  EXPECT_THAT(headroomText(headroomOf({&call, 1}, machine())), testing::HasSubstr("at most 1 times"));
}

// Measured bandwidth may be far too low: ten times is never called impossible.
TEST(PhysicalFloor, TenTimesIsNeverTooMuch) {
  const BenchmarkCall call{.movedBytes = 200e3, .callBytes = 400e3, .seconds = 1e-6};
  EXPECT_EQ(beyondMachine(claim(9.9), {&call, 1}, machine()), "");
}

} // namespace
} // namespace agentic
