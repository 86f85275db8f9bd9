// The verdict on a whole application, on recorded pairs of identical code.
#include "tests/evaluate/recorded_pairs.h"
#include "tool/evaluate/benchmark/end_to_end.h"
#include "tool/model/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Recorded pairs, the candidate of which takes `factor` times as long.
std::vector<Pair> recorded(std::size_t first, double factor) {
  constexpr std::size_t kPairs = 12;
  std::vector<Pair> all = loadPool("repetitions256.csv", 5);
  std::vector<Pair> pairs(all.begin() + std::ptrdiff_t(first), all.begin() + std::ptrdiff_t(first + kPairs));
  for (Pair &pair : pairs)
    for (double &ns : pair.candidate)
      ns *= factor;
  return pairs;
}

/// Pairs that all have this ratio of times but for `spread`, up and down by turns.
std::vector<Pair> steady(double factor, double spread) {
  std::vector<Pair> pairs;
  for (int i = 0; i < 12; ++i)
    pairs.push_back({{100}, {100 * factor * (i % 2 ? 1 + spread : 1 / (1 + spread))}});
  return pairs;
}

EndToEnd judged(const std::vector<Pair> &same, const std::vector<Pair> &pairs) {
  EndToEnd result;
  result.application = "app";
  result.metric = "MB/s";
  judgeEndToEnd(same, pairs, 0.99, result);
  return result;
}

TEST(EndToEndVerdict, FasterOnlyIfTheWholeIntervalIsAboveOne) {
  const EndToEnd faster = judged(recorded(0, 1), recorded(20, 0.5));
  EXPECT_EQ(faster.outcome, EndToEndOutcome::Faster);
  EXPECT_GT(faster.speedup.low, 1.5);
  EXPECT_LT(faster.speedup.high, 2.6);
  EXPECT_EQ(faster.pairs, 12);
  EXPECT_GT(faster.spread, 1);
  EXPECT_THAT(endToEndText(faster), testing::ContainsRegex("^(1.9|2).*x \\[.*\\] \\(MB/s of 'app' in 12 pairs"));
}

TEST(EndToEndVerdict, IdenticalCodeShowsNoMeasurableChange) {
  for (const std::size_t first : {20, 40, 60})
    EXPECT_EQ(judged(recorded(0, 1), recorded(first, 1)).outcome, EndToEndOutcome::NoChange) << first;
  EXPECT_THAT(endToEndText(judged(steady(1, 0.01), steady(1, 0.01))), StartsWith("no measurable change [0.9"));
}

TEST(EndToEndVerdict, SlowerOnlyIfTheWholeIntervalIsBelowOne) {
  const EndToEnd slower = judged(recorded(0, 1), recorded(20, 2));
  EXPECT_EQ(slower.outcome, EndToEndOutcome::Slower);
  EXPECT_LT(slower.speedup.high, 1);
  EXPECT_THAT(endToEndText(slower), HasSubstr("slower for sure"));
  EXPECT_EQ(judged(steady(1, 0.01), steady(1.01, 0.001)).outcome, EndToEndOutcome::NoChange);
}

// The pairs alone would prove a gain of a tenth; the original differs from itself by more.
TEST(EndToEndVerdict, NothingSmallerThanTheSpreadOfTheOriginalIsClaimed) {
  EXPECT_EQ(judged(steady(1, 0.001), steady(1 / 1.1, 0.001)).outcome, EndToEndOutcome::Faster);
  const EndToEnd noisy = judged(steady(1, 0.1), steady(1 / 1.1, 0.001));
  EXPECT_EQ(noisy.outcome, EndToEndOutcome::NoChange);
  EXPECT_GT(noisy.spread, 1.1);
  EXPECT_LE(noisy.speedup.low * noisy.spread, noisy.speedup.ratio * (1 + 1e-12));
  EXPECT_GE(noisy.speedup.high, noisy.speedup.ratio * noisy.spread * (1 - 1e-12));
  // The same of a loss: it refuses nothing.
  EXPECT_EQ(judged(steady(1, 0.1), steady(1.1, 0.001)).outcome, EndToEndOutcome::NoChange);
  // An original that is always faster when it runs second is no proof either.
  EXPECT_EQ(judged(steady(1 / 1.2, 0.001), steady(1 / 1.1, 0.001)).outcome, EndToEndOutcome::NoChange);
}

TEST(EndToEndPairs, AreAsManyAsFewSecondsHaveRoomFor) {
  BenchmarkFacts facts(1);
  facts.front().seconds = 5;
  EXPECT_EQ(endToEndPairs(facts), 8);
  EXPECT_DOUBLE_EQ(endToEndSeconds(facts, 8), 160);
  facts.front().seconds = 0.25;
  EXPECT_EQ(endToEndPairs(facts), 12);
  facts.front().seconds = 0.01;
  EXPECT_EQ(endToEndPairs(facts), 20);
}

TEST(EndToEndMeasurement, SaysThatItDoesNotFitIntoTheTimeLeft) {
  BenchmarkFacts facts(1);
  facts.front().target = "app";
  facts.front().seconds = 2;
  facts.front().printed = "7 MB/s, from the line 'speed 7'";
  const std::vector<TestProgram> programs(1);
  const Result<EndToEnd> result = measureEndToEnd(
      {},
      {.original = &programs, .variant = &programs, .choice = "x", .facts = &facts, .secondsLeft = 30, .lockFile = {}});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->outcome, EndToEndOutcome::NotMeasured);
  EXPECT_THAT(endToEndText(*result), HasSubstr("not measured: 'app' takes 2 s, so 8 pairs"));
  EXPECT_THAT(endToEndText(*result), HasSubstr("30 s of --max-total-seconds were left"));
  EXPECT_EQ(result->printed, "7 MB/s, from the line 'speed 7'");
}

} // namespace
} // namespace agentic
