#include "tool/evaluate/benchmark/pair_effect.h"

#include "tool/base/median.h"

#include <algorithm>
#include <cmath>

namespace agentic {

Effect effectOf(std::span<const Pair> pairs) {
  Effect effect;
  double reference = INFINITY, candidate = INFINITY;
  for (const Pair &pair : pairs) {
    effect.ratios.push_back(std::log(median(pair.candidate) / median(pair.reference)));
    reference = std::min(reference, *std::ranges::min_element(pair.reference));
    candidate = std::min(candidate, *std::ranges::min_element(pair.candidate));
  }
  effect.byMinimum = std::log(candidate / reference);
  return effect;
}

Effect meanEffect(const std::vector<BenchmarkMeasurement> &benchmarks) {
  Effect mean;
  for (const BenchmarkMeasurement &benchmark : benchmarks) {
    Effect effect = effectOf(benchmark.pairs);
    mean.ratios.resize(effect.ratios.size());
    for (std::size_t i = 0; i < effect.ratios.size(); ++i)
      mean.ratios[i] += effect.ratios[i] / double(benchmarks.size());
    mean.byMinimum += effect.byMinimum / double(benchmarks.size());
  }
  return mean;
}

void setTimes(BenchmarkMeasurement &benchmark) {
  std::vector<double> reference, candidate;
  for (const Pair &pair : benchmark.pairs) {
    reference.push_back(median(pair.reference));
    candidate.push_back(median(pair.candidate));
  }
  benchmark.referenceNs = median(reference);
  benchmark.candidateNs = median(candidate);
}

void setTimes(Measurement &measurement) {
  double reference = 0, candidate = 0;
  for (const BenchmarkMeasurement &benchmark : measurement.benchmarks) {
    reference += std::log(benchmark.referenceNs) / double(measurement.benchmarks.size());
    candidate += std::log(benchmark.candidateNs) / double(measurement.benchmarks.size());
  }
  measurement.referenceNs = std::exp(reference);
  measurement.candidateNs = std::exp(candidate);
}

} // namespace agentic
