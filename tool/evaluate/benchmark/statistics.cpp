#include "tool/evaluate/benchmark/statistics.h"

#include "tool/base/median.h"
#include "tool/evaluate/benchmark/claim_interval.h"
#include "tool/evaluate/benchmark/pair_effect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <utility>

namespace agentic {
namespace {

// Below these numbers of pairs only clear effects are decided, and no interval is given.
constexpr std::size_t kPairsForInterval = 8;
constexpr std::size_t kPairsForWideInterval = 5;
constexpr double kMostLoss = -0.01; // as a gain: ln 0.99, rounded to the strict side
// So much slower in one pair, or in both of two, that a third would be wasted: most candidates of a search are losers.
// A/A pairs of single runs on a busy machine differ by at most 27 % (tests/evaluate/data), but now and then a process
// has half of a core: of 300 comparisons of calibrate, one pair read 0.65x and one 0.51x.
constexpr double kHopelessOnce = 1.099, kHopelessTwice = 0.223; // ln 3, ln 1.25

double smallest(const std::vector<double> &values) {
  return *std::ranges::min_element(values);
}
double largest(const std::vector<double> &values) {
  return *std::ranges::max_element(values);
}

/// Returns sorted medians of resampled pairs. The index draw is our own: std::uniform_int_distribution differs between
/// standard libraries, and the same pairs must give the same verdict everywhere.
std::vector<double> bootstrapMedians(const std::vector<double> &ratios, const DecisionRule &rule) {
  std::mt19937_64 random(rule.seed);
  std::vector<double> medians(std::size_t(std::max(1, rule.bootstrapSamples)));
  std::vector<double> sample(ratios.size());
  for (double &value : medians) {
    for (double &drawn : sample)
      drawn = ratios[((random() >> 32) * ratios.size()) >> 32];
    value = medianInPlace(sample);
  }
  std::ranges::sort(medians);
  return medians;
}

double quantile(const std::vector<double> &sorted, double share) {
  double position = share * double(sorted.size() - 1);
  auto below = std::size_t(position);
  std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - double(below)) * (sorted[above] - sorted[below]);
}

struct Interval {
  double low = 0, high = 0;
};

Interval interval(const std::vector<double> &ratios, const DecisionRule &rule) {
  std::vector<double> medians = bootstrapMedians(ratios, rule);
  double tail = (1 - rule.confidence) / 2;
  return {quantile(medians, tail), quantile(medians, 1 - tail)};
}

Speedup speedupOf(const std::vector<double> &ratios, const DecisionRule &rule) {
  if (rule.isClaim && ratios.size() >= kPairsForInterval)
    return claimedSpeedup(ratios, rule.confidence);
  Speedup speedup;
  speedup.isInterval = ratios.size() >= kPairsForInterval;
  Interval range = speedup.isInterval ? interval(ratios, rule) : Interval{smallest(ratios), largest(ratios)};
  speedup.ratio = std::exp(-median(ratios));
  speedup.low = std::exp(-range.high);
  speedup.high = std::exp(-range.low);
  return speedup;
}

/// With few pairs only effects far outside the noise of a shared machine are decided: a loser costs little, and a wrong
/// verdict would lose a good candidate.
std::optional<Comparison> judgeEarly(const Effect &effect, const DecisionRule &rule) {
  double middle = median(effect.ratios);
  double least = std::min(middle, effect.byMinimum), most = std::max(middle, effect.byMinimum);
  if (effect.ratios.size() < kPairsForWideInterval) {
    if (least > std::max(0.05, rule.threshold) && smallest(effect.ratios) > 0.02)
      return Comparison::Slower;
    if (most < -std::max(0.20, rule.threshold) && largest(effect.ratios) < -0.10)
      return Comparison::Faster;
    return std::nullopt;
  }
  if (least > std::max(0.03, rule.threshold) && smallest(effect.ratios) > 0)
    return Comparison::Slower;
  double margin = std::max(0.05, rule.threshold);
  if (effect.byMinimum < -margin && interval(effect.ratios, rule).high < -margin)
    return Comparison::Faster;
  return std::nullopt;
}

std::optional<Comparison> judge(const Effect &effect, const DecisionRule &rule) {
  if (effect.ratios.size() < kPairsForInterval)
    return judgeEarly(effect, rule);
  double delta = rule.threshold;
  double middle = median(effect.ratios);
  if (std::min(middle, effect.byMinimum) > std::max(0.03, delta) && smallest(effect.ratios) > 0)
    return Comparison::Slower;
  Interval range = interval(effect.ratios, rule);
  if (range.high < -delta && effect.byMinimum < -delta)
    return Comparison::Faster;
  if (range.low > delta && effect.byMinimum > delta)
    return Comparison::Slower;
  if (range.low > -2 * delta && range.high < 2 * delta && std::abs(effect.byMinimum) < 2 * delta)
    return Comparison::Same;
  return std::nullopt;
}

enum class Attempt { NotYet, Stage, Last };

/// A decision between stages would be one more test than the rule was calibrated for.
Attempt attemptAt(std::size_t pairs, const DecisionRule &rule) {
  if (pairs == 0 || rule.stages.empty())
    return Attempt::NotYet;
  if (pairs >= std::size_t(rule.stages.back()))
    return Attempt::Last;
  bool isStage = std::ranges::find(rule.stages, int(pairs)) != rule.stages.end();
  return isStage && int(pairs) >= rule.minimumPairs ? Attempt::Stage : Attempt::NotYet;
}

bool hopeless(const Effect &effect, const DecisionRule &rule) {
  if (effect.ratios.empty() || effect.ratios.size() > 2 || rule.minimumPairs > 3)
    return false;
  return smallest(effect.ratios) > std::max(effect.ratios.size() == 1 ? kHopelessOnce : kHopelessTwice, rule.threshold);
}

/// nullopt = more pairs are needed.
std::optional<Comparison> verdictOf(const Effect &effect, Attempt attempt, const DecisionRule &rule) {
  if (hopeless(effect, rule))
    return Comparison::Slower;
  if (attempt == Attempt::NotYet)
    return std::nullopt;
  std::optional<Comparison> comparison = judge(effect, rule);
  if (!comparison && rule.needsPromise && std::min(median(effect.ratios), effect.byMinimum) > -0.5 * rule.threshold)
    return Comparison::Same;
  return comparison || attempt == Attempt::Stage ? comparison : Comparison::Same;
}

/// Fills in the report's values of one benchmark. A benchmark that is neither faster nor slower for sure is Same.
void describeBenchmark(BenchmarkMeasurement &benchmark, const DecisionRule &rule) {
  Effect effect = effectOf(benchmark.pairs);
  benchmark.comparison = judge(effect, rule).value_or(Comparison::Same);
  benchmark.speedup = speedupOf(effect.ratios, rule);
  setTimes(benchmark);
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", share * 100);
}

std::string whyNot(const Measurement &measurement, const DecisionRule &rule) {
  switch (measurement.comparison) {
  case Comparison::Faster:
    return {};
  case Comparison::Slower:
    return "slower: it takes " + percent(1 / measurement.speedup.ratio) + " of the reference's time";
  case Comparison::TooNoisy:
    return "too noisy to tell";
  case Comparison::Same:
    break;
  }
  return "no significant difference (a gain below " + percent(rule.threshold) + " does not count)";
}

} // namespace

DecisionRule notSlowerRule(DecisionRule rule) {
  rule.threshold = kMostLoss;
  rule.needsPromise = false;
  return rule;
}

std::optional<Decision> decide(std::span<const Pair> pairs, const DecisionRule &rule) {
  Effect effect = effectOf(pairs);
  std::optional<Comparison> comparison = verdictOf(effect, attemptAt(pairs.size(), rule), rule);
  if (!comparison)
    return std::nullopt;
  return Decision{*comparison, speedupOf(effect.ratios, rule)};
}

std::optional<Measurement> combine(std::vector<BenchmarkMeasurement> benchmarks, const DecisionRule &rule,
                                   double slowerLimit) {
  if (benchmarks.empty())
    return std::nullopt;
  const Attempt attempt = attemptAt(benchmarks.front().pairs.size(), rule);
  Effect mean = meanEffect(benchmarks);
  std::optional<Comparison> comparison = verdictOf(mean, attempt, rule);
  if (!comparison)
    return std::nullopt;

  Measurement result;
  result.comparison = *comparison;
  result.speedup = speedupOf(mean.ratios, rule);
  const double limit = std::log1p(slowerLimit);
  for (BenchmarkMeasurement &benchmark : benchmarks) {
    describeBenchmark(benchmark, rule);
    Effect effect = effectOf(benchmark.pairs);
    if (benchmarks.size() == 1 || result.comparison != Comparison::Faster || median(effect.ratios) <= limit)
      continue;
    bool sure = benchmark.comparison == Comparison::Slower || attempt == Attempt::Last;
    if (!sure)
      return std::nullopt;
    result.comparison = Comparison::Slower;
    result.reason = "benchmark " + benchmark.benchmark + " is slower by " + percent(1 / benchmark.speedup.ratio - 1) +
                    " (at most " + percent(slowerLimit) + " is allowed)";
  }
  if (result.reason.empty())
    result.reason = whyNot(result, rule);
  result.benchmarks = std::move(benchmarks);
  setTimes(result);
  return result;
}

double fasterPValue(const Measurement &measurement, const DecisionRule &rule) {
  if (measurement.benchmarks.empty() || measurement.benchmarks.front().pairs.empty())
    return 1;
  std::vector<double> medians = bootstrapMedians(meanEffect(measurement.benchmarks).ratios, rule);
  auto notFaster = std::ranges::count_if(medians, [&](double value) { return value >= -rule.threshold; });
  return double(notFaster + 1) / double(medians.size() + 1);
}

std::vector<bool> holm(std::span<const double> pValues, double alpha) {
  std::vector<std::size_t> order(pValues.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t index) { return std::pair(pValues[index], index); });
  std::vector<bool> survives(pValues.size(), false);
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    if (pValues[order[rank]] > alpha / double(order.size() - rank))
      break;
    survives[order[rank]] = true;
  }
  return survives;
}

double smallestDifference(const Measurement &same, double threshold) {
  if (same.benchmarks.empty() || same.benchmarks.front().pairs.empty())
    return threshold;
  std::vector<double> ratios = meanEffect(same.benchmarks).ratios;
  double middle = median(ratios), squares = 0;
  for (double ratio : ratios)
    squares += (ratio - middle) * (ratio - middle);
  // Twice the standard error of a median of 8 pairs; 1.25 is its ratio to that of the mean.
  double spread = std::sqrt(squares / double(std::max<std::size_t>(1, ratios.size() - 1)));
  return std::max({threshold, std::abs(middle) * 2, 2 * 1.25 * spread / std::sqrt(double(kPairsForInterval))});
}

} // namespace agentic
