// A shipped claim and a second session, minutes later, on given pairs.
#include "tool/evaluate/benchmark/statistics.h"
#include "tool/variants/shipped_claim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace agentic {
namespace {

using testing::HasSubstr;

/// Eight pairs of a session: the reference takes 100 ns.
Measurement session(double candidateNs) {
  BenchmarkMeasurement benchmark;
  benchmark.benchmark = "BM_x";
  benchmark.pairs = std::vector<Pair>(8, {{100, 100}, {candidateNs, candidateNs}});
  DecisionRule rule;
  rule.stages = {8};
  rule.isClaim = true;
  return *combine({benchmark}, rule);
}

BenchmarkOutcome outcome(double candidateNs) {
  BenchmarkOutcome result;
  result.measurement = session(candidateNs);
  return result;
}

PolicyLimits atLeast(double speedup) {
  PolicyLimits limits;
  limits.minSpeedup = speedup;
  return limits;
}

TEST(ShippedClaim, JoinsTwoSessionsThatAgree) {
  const auto claim = joinLater(session(50), outcome(40), {});
  ASSERT_TRUE(claim) << claim.error().message;
  EXPECT_EQ(claim->claim.benchmarks[0].pairs.size(), 16u);
  EXPECT_NEAR(claim->claim.candidateNs, 45, 1e-9);
  EXPECT_EQ(claim->remark, "");
}

TEST(ShippedClaim, IsRefusedWhereTheLaterSessionContradicts) {
  const auto slower = joinLater(session(50), outcome(101), {});
  ASSERT_FALSE(slower);
  EXPECT_EQ(slower.error().kind, ErrorKind::NoImprovement);
  EXPECT_THAT(slower.error().message,
              HasSubstr("2.00 times as fast as the original build, and some minutes later 0.99"));

  BenchmarkOutcome died;
  died.rejection = "benchmark program x_bench died by signal 11";
  const auto dead = joinLater(session(50), died, {});
  ASSERT_FALSE(dead);
  EXPECT_EQ(dead.error().kind, ErrorKind::NoImprovement);
  EXPECT_THAT(dead.error().message, HasSubstr("died by signal 11"));
}

TEST(ShippedClaim, BothSessionsTogetherMeetTheProjectsLimit) {
  EXPECT_TRUE(joinLater(session(50), outcome(50), atLeast(1.9)));
  const auto below = joinLater(session(50), outcome(80), atLeast(1.9)); // 2.00 alone, 1.58 with the later session
  ASSERT_FALSE(below);
  EXPECT_THAT(below.error().message, HasSubstr("limits.min_speedup"));
}

TEST(ShippedClaim, KeepsTheFirstSessionWhereTheMachineAllowsNoSecond) {
  const Error busy{ErrorKind::User, "another run measures on this machine", "wait for it"};
  const auto claim = joinLater(session(50), std::unexpected(busy), {});
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->claim.benchmarks[0].pairs.size(), 8u);
  EXPECT_EQ(claim->remark, "measured in one session only: another run measures on this machine");

  const auto stopped = joinLater(session(50), std::unexpected(Error{ErrorKind::Interrupted, "interrupted", ""}), {});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::Interrupted);
}

} // namespace
} // namespace agentic
