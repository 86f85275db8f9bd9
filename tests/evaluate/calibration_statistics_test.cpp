#include "tool/evaluate/calibration/calibration_statistics.h"

#include "tests/evaluate/recorded_pairs.h"

#include <gtest/gtest.h>

namespace agentic {
namespace {

Pair exact(double reference, double candidate) {
  return {Repetitions(5, reference), Repetitions(5, candidate)};
}

TEST(Proportion, BoundsAreThoseOfClopperAndPearson) {
  EXPECT_NEAR(proportionAtMost(0, 300), 0.009936, 1e-6); // 1 - 0.05^(1/300): the rule of three says 0.01
  EXPECT_NEAR(proportionAtMost(1, 300), 0.015715, 1e-6);
  EXPECT_NEAR(proportionAtMost(3, 10), 0.606624, 1e-6);
  EXPECT_NEAR(proportionAtLeast(40, 40), 0.927842, 1e-6);
  EXPECT_NEAR(proportionAtLeast(38, 40), 0.850848, 1e-6);
}

TEST(Proportion, NothingIsKnownWithoutTrials) {
  EXPECT_EQ(proportionAtMost(0, 0), 1);
  EXPECT_EQ(proportionAtLeast(0, 0), 0);
  EXPECT_EQ(proportionAtMost(5, 5), 1);
  EXPECT_EQ(proportionAtLeast(0, 5), 0);
}

TEST(PairNoise, IsTheSpreadWithoutItsOutliers) {
  EXPECT_EQ(pairNoise({}), 0);
  std::vector<Pair> pairs = {exact(100, 99), exact(100, 100), exact(100, 101), exact(100, 102), exact(100, 98)};
  const double noise = pairNoise(pairs);
  EXPECT_NEAR(noise, 0.0148, 0.001);
  pairs.push_back(exact(100, 400));
  EXPECT_NEAR(pairNoise(pairs), 0.0222, 0.001);
  EXPECT_EQ(pairNoise(std::vector<Pair>(8, exact(100, 105))), 0); // a difference is no noise
}

TEST(SmallestDetectableGain, IsTheThresholdWithoutNoiseAndGrowsWithIt) {
  EXPECT_NEAR(smallestDetectableGain(std::vector<Pair>(20, exact(100, 100)), {}), 0.02, 0.0051);
  const double quiet = smallestDetectableGain(loadPool("repetitions480.csv", 5), {});
  const double noisy = smallestDetectableGain(loadPool("pool256.csv", 1), {});
  EXPECT_LE(quiet, 0.05);
  EXPECT_GT(noisy, quiet);
  std::vector<Pair> wild;
  for (int i = 0; i < 20; ++i)
    wild.push_back(exact(100, i % 2 ? 1000 : 10));
  EXPECT_EQ(smallestDetectableGain(wild, {}), 1);
  EXPECT_EQ(smallestDetectableGain({}, {}), 1);
}

TEST(ThresholdFor, OnlyASeemingGainRaisesIt) {
  EXPECT_EQ(thresholdFor({}, 0.02), 0.02);
  EXPECT_EQ(thresholdFor(std::vector<Speedup>{{1.05, 0.99, 1.1, true}}, 0.02), 0.02);
  EXPECT_EQ(thresholdFor(std::vector<Speedup>{{1.05, 1.009, 1.1, true}}, 0.02), 0.02);
  EXPECT_NEAR(thresholdFor(std::vector<Speedup>{{1.05, 1.015, 1.1, true}, {1, 0.9, 1, true}}, 0.02), 0.03, 1e-9);
  EXPECT_EQ(thresholdFor(std::vector<Speedup>{{1.05, 1.015, 1.1, false}}, 0.02), 0.02); // a range is no interval
  EXPECT_EQ(thresholdFor(std::vector<Speedup>{{2, 1.8, 2.1, true}}, 0.02), 0.10);
  EXPECT_EQ(thresholdFor(std::vector<Speedup>{{1, 1, 1, true}}, 0.15), 0.15);
}

} // namespace
} // namespace agentic
