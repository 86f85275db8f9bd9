#include "tool/evaluate/benchmark/claim_interval.h"

#include "tool/base/median.h"
#include "tool/evaluate/benchmark/pair_effect.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace agentic {
namespace {

constexpr double kLaterPairs = 8;

double normalQuantile(double probability) {
  double low = -10, high = 10;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(-middle / std::numbers::sqrt2) / 2 < probability ? low : high) = middle;
  }
  return low;
}

double sessionDeviation(const std::vector<double> &first, const std::vector<double> &second) {
  return std::max(kSessionDeviation, std::abs(median(first) - median(second)));
}

Speedup joined(const std::vector<double> &first, const std::vector<double> &second, double confidence) {
  std::vector<double> all = first;
  all.insert(all.end(), second.begin(), second.end());
  return claimedSpeedup(all, confidence, sessionDeviation(first, second));
}

} // namespace

double studentQuantile(double probability, int degreesOfFreedom) {
  const double z = normalQuantile(probability), n = degreesOfFreedom, s = z * z;
  return z + z * (s + 1) / (4 * n) + z * ((5 * s + 16) * s + 3) / (96 * n * n) +
         z * (((3 * s + 19) * s + 17) * s - 15) / (384 * n * n * n) +
         z * ((((79 * s + 776) * s + 1482) * s - 1920) * s - 945) / (92160 * n * n * n * n);
}

Speedup claimedSpeedup(std::span<const double> ratios, double confidence, double sessionDeviation) {
  const double middle = median({ratios.begin(), ratios.end()}), n = double(ratios.size());
  double variance = 0;
  for (const double ratio : ratios)
    variance += (ratio - middle) * (ratio - middle) / (n - 1);
  const double error =
      std::sqrt(std::numbers::pi / 2 * variance * (1 / n + 1 / kLaterPairs) + 2 * sessionDeviation * sessionDeviation);
  const double half = studentQuantile(1 - (1 - confidence) / 2, int(ratios.size()) - 1) * error;
  return {.ratio = std::exp(-middle),
          .low = std::exp(-middle - half),
          .high = std::exp(-middle + half),
          .isInterval = true,
          .isConfirmed = true};
}

Measurement joinSessions(Measurement first, const Measurement &second, double confidence) {
  first.speedup = joined(meanEffect(first.benchmarks).ratios, meanEffect(second.benchmarks).ratios, confidence);
  for (std::size_t i = 0; i < first.benchmarks.size(); ++i) {
    BenchmarkMeasurement &benchmark = first.benchmarks[i];
    const std::vector<Pair> &more = second.benchmarks[i].pairs;
    benchmark.speedup = joined(effectOf(benchmark.pairs).ratios, effectOf(more).ratios, confidence);
    benchmark.pairs.insert(benchmark.pairs.end(), more.begin(), more.end());
    setTimes(benchmark);
  }
  setTimes(first);
  return first;
}

} // namespace agentic
