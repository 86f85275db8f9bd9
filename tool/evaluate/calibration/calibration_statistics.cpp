#include "tool/evaluate/calibration/calibration_statistics.h"

#include "tool/base/median.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace agentic {
namespace {

constexpr double kHighestThreshold = 0.10;
constexpr int kReplays = 40, kWantedReplays = 36;
constexpr int kGainSteps = 100; ///< steps of half a percent

/// P(at most `events` of `trials`) when each has probability `p`.
double binomialTail(int events, int trials, double p) {
  if (p <= 0)
    return 1;
  if (p >= 1)
    return events >= trials ? 1 : 0;
  double sum = 0;
  for (int k = 0; k <= events; ++k)
    sum += std::exp(std::lgamma(trials + 1.0) - std::lgamma(k + 1.0) - std::lgamma(trials - k + 1.0) + k * std::log(p) +
                    (trials - k) * std::log1p(-p));
  return std::min(1.0, sum);
}

bool isAccepted(std::vector<Pair> pairs, double gain, const DecisionRule &rule) {
  for (Pair &pair : pairs)
    for (double &time : pair.candidate)
      time *= 1 - gain;
  for (std::size_t used = 1; used <= pairs.size(); ++used)
    if (const std::optional<Decision> decision = decide(std::span(pairs).first(used), rule))
      return decision->comparison == Comparison::Faster;
  return false;
}

} // namespace

double proportionAtMost(int events, int trials, double confidence) {
  if (trials <= 0 || events >= trials)
    return 1;
  double low = double(events) / trials, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (binomialTail(events, trials, middle) > 1 - confidence ? low : high) = middle;
  }
  return high;
}

double proportionAtLeast(int events, int trials, double confidence) {
  return trials <= 0 ? 0 : 1 - proportionAtMost(trials - events, trials, confidence);
}

double pairNoise(std::span<const Pair> pairs) {
  if (pairs.empty())
    return 0;
  std::vector<double> ratios;
  for (const Pair &pair : pairs)
    ratios.push_back(std::log(median(pair.candidate) / median(pair.reference)));
  const double middle = median(ratios);
  for (double &ratio : ratios)
    ratio = std::abs(ratio - middle);
  return 1.4826 * median(std::move(ratios));
}

double smallestDetectableGain(std::span<const Pair> sameCode, const DecisionRule &rule) {
  if (sameCode.empty() || rule.stages.empty())
    return 1;
  std::mt19937_64 random(rule.seed);
  std::vector<std::vector<Pair>> replays(kReplays);
  for (std::vector<Pair> &pairs : replays)
    for (int i = 0; i < rule.stages.back(); ++i) {
      const Pair &pair = sameCode[random() % sameCode.size()];
      pairs.push_back(random() >> 63 ? pair : Pair{pair.candidate, pair.reference}); // identical: either side
    }
  int low = 0, high = kGainSteps + 1; // `high` is accepted, or beyond the range
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    const auto accepted = std::ranges::count_if(
        replays, [&](const std::vector<Pair> &pairs) { return isAccepted(pairs, 0.005 * middle, rule); });
    (accepted >= kWantedReplays ? high : low) = middle;
  }
  return high > kGainSteps ? 1 : 0.005 * high;
}

double thresholdFor(std::span<const Speedup> sameCode, double least) {
  double believed = 0;
  for (const Speedup &speedup : sameCode)
    if (speedup.isInterval)
      believed = std::max(believed, speedup.low - 1);
  const double asked = std::ceil(2 * believed * 1000) / 1000;
  return std::clamp(asked, least, std::max(least, kHighestThreshold));
}

} // namespace agentic
