// Tests the interval of a confirmed ratio on simulated pairs with known deviations between processes and between
// sessions: it must contain the result of a later, independent measurement.
#include "tests/evaluate/recorded_pairs.h"
#include "tool/evaluate/benchmark/claim_interval.h"
#include "tool/evaluate/benchmark/pair_effect.h"
#include "tool/evaluate/benchmark/statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <string>

namespace agentic {
namespace {

constexpr double kTruth = 2.5;

/// Our own normal numbers, because those of standard libraries differ.
class Noise {
public:
  explicit Noise(std::uint64_t seed) : random_(seed) {}
  double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform()); }
  /// A shared machine: one process in ten is disturbed and spreads four times as far.
  double longTailed() { return normal() * (uniform() < 0.1 ? 4 : 1); }

private:
  double uniform() { return (double(random_() >> 11) + 0.5) / 9007199254740992.0; }
  std::mt19937_64 random_;
};

struct Machine {
  const char *name;
  double process, session; ///< standard deviations of the logarithm
  bool hasLongTails;
  int sessions;
};

std::vector<Pair> session(Noise &noise, const Machine &machine, int count) {
  const double shift = machine.session * noise.normal();
  std::vector<Pair> pairs;
  for (int i = 0; i < count; ++i) {
    const double drawn = machine.hasLongTails ? noise.longTailed() : noise.normal();
    const double candidate = 100 / kTruth * std::exp(shift + machine.process * drawn);
    pairs.push_back({Repetitions(5, 100), {candidate, candidate * 1.001, candidate * 0.999, candidate, candidate}});
  }
  return pairs;
}

Measurement measured(const std::vector<Pair> &pairs, bool isClaim) {
  BenchmarkMeasurement benchmark;
  benchmark.benchmark = "BM_x";
  benchmark.pairs = pairs;
  DecisionRule rule;
  rule.stages = {int(pairs.size())};
  rule.isClaim = isClaim;
  return *combine({benchmark}, rule);
}

/// Without a verdict, because its resampling takes time.
Measurement claimed(const std::vector<Pair> &pairs) {
  Measurement measurement;
  measurement.benchmarks.push_back({.benchmark = "BM_x", .pairs = pairs});
  measurement.speedup = claimedSpeedup(effectOf(pairs).ratios, 0.99);
  return measurement;
}

struct Coverage {
  double later = 0, truth = 0;
};

Coverage coverageOf(const Machine &machine, int trials,
                    const std::function<Measurement(const std::vector<Pair> &)> &show) {
  Noise noise(7);
  Coverage coverage;
  for (int trial = 0; trial < trials; ++trial) {
    Measurement shown = show(session(noise, machine, 8));
    if (machine.sessions > 1)
      shown = joinSessions(std::move(shown), show(session(noise, machine, 8)), 0.99);
    const double later = claimed(session(noise, machine, 8)).speedup.ratio;
    coverage.later += later >= shown.speedup.low && later <= shown.speedup.high;
    coverage.truth += kTruth >= shown.speedup.low && kTruth <= shown.speedup.high;
  }
  return {coverage.later / trials, coverage.truth / trials};
}

TEST(ClaimInterval, HoldsALaterMeasurementWhereverProcessesAndSessionsVaryAsKnown) {
  for (const Machine &machine :
       {Machine{"quiet", 0.002, 0, false, 1}, Machine{"processes vary", 0.02, 0, false, 1},
        Machine{"much", 0.10, 0, false, 1}, Machine{"long tails", 0.02, 0, true, 1},
        Machine{"sessions vary", 0.01, 0.005, false, 1}, Machine{"sessions as much as processes", 0.02, 0.02, false, 2},
        Machine{"two sessions of long tails", 0.03, 0.01, true, 2}}) {
    const Coverage coverage = coverageOf(machine, 2000, claimed);
    std::cout << machine.name << ": later " << coverage.later << ", truth " << coverage.truth << "\n";
    EXPECT_GE(coverage.later, 0.95) << machine.name;
    EXPECT_GE(coverage.truth, 0.95) << machine.name;
  }
}

/// The interval of a decision is about one session's median, and no promise to a reader.
TEST(ClaimInterval, TheIntervalOfADecisionDoesNot) {
  EXPECT_LT(coverageOf({"sessions as much as processes", 0.02, 0.02, false, 1}, 200,
                       [](const std::vector<Pair> &pairs) { return measured(pairs, false); })
                .later,
            0.95);
  EXPECT_FALSE(measured(std::vector<Pair>(12, {{2, 2}, {1, 1}}), false).speedup.isConfirmed);
}

TEST(ClaimInterval, IsAsTheFormulaSays) {
  const std::vector<double> ratios = {-0.3, -0.1, -0.2, -0.2, -0.2, -0.2, -0.2, -0.2, -0.2};
  // s^2 = 0.02 / 8, t(8) = 3.3554
  const double half = 3.3554 * std::sqrt(std::numbers::pi / 2 * 0.0025 * (1.0 / 9 + 1.0 / 8) +
                                         2 * kSessionDeviation * kSessionDeviation);
  const Speedup speedup = claimedSpeedup(ratios, 0.99);
  EXPECT_DOUBLE_EQ(speedup.ratio, std::exp(0.2));
  EXPECT_NEAR(speedup.low, std::exp(0.2 - half), 1e-4);
  EXPECT_NEAR(speedup.high, std::exp(0.2 + half), 1e-4);
  EXPECT_TRUE(speedup.isConfirmed);
}

TEST(ClaimInterval, StudentsQuantilesAreThoseOfTheTables) {
  for (const auto &[degrees, quantile] : {std::pair{7, 3.499}, {11, 3.106}, {19, 2.861}, {60, 2.660}})
    EXPECT_NEAR(studentQuantile(0.995, degrees), quantile, 0.002) << degrees;
  EXPECT_NEAR(studentQuantile(0.5, 7), 0, 1e-9);
}

TEST(ClaimInterval, TwoSessionsThatDifferMakeItWider) {
  const auto constant = [](double time) { return std::vector<Pair>(8, {{100, 100}, {time, time}}); };
  const Measurement first = measured(constant(50), true);
  const Measurement same = joinSessions(first, first, 0.99);
  const Measurement other = joinSessions(first, measured(constant(60), true), 0.99);
  EXPECT_EQ(other.benchmarks[0].pairs.size(), 16u);
  EXPECT_NEAR(same.speedup.ratio, 2, 1e-9);
  EXPECT_LT(same.speedup.high - same.speedup.low, 0.1);
  EXPECT_LT(other.speedup.low, 100.0 / 60);
  EXPECT_GT(other.speedup.high, 2);
  EXPECT_NEAR(other.candidateNs, 55, 1e-9);
  EXPECT_EQ(other.comparison, Comparison::Faster);
}

/// Real A/A pairs of a shared machine: the interval of one window contains the result of the next.
TEST(ClaimInterval, HoldsTheNextWindowOfRecordedPairs) {
  int windows = 0, held = 0;
  for (const char *file : {"repetitions256.csv", "repetitions480.csv", "busy_cache.csv", "busy_memory.csv"}) {
    const std::vector<Pair> pool = loadPool(file, 5);
    for (std::size_t begin = 0; begin + 16 <= pool.size(); begin += 8) {
      const Speedup shown =
          measured({pool.begin() + std::ptrdiff_t(begin), pool.begin() + std::ptrdiff_t(begin) + 8}, true).speedup;
      const double later =
          measured({pool.begin() + std::ptrdiff_t(begin) + 8, pool.begin() + std::ptrdiff_t(begin) + 16}, false)
              .speedup.ratio;
      ++windows;
      held += later >= shown.low && later <= shown.high;
    }
  }
  EXPECT_GE(windows, 70);
  EXPECT_GE(held, 0.95 * windows) << held << " of " << windows;
}

} // namespace
} // namespace agentic
