// The decision rule for paired timings. Pure.
//
// Source: measured A/A process pairs on a shared machine (tests/evaluate/data/pool256.csv, pool480.csv); the process is
// the unit of replication, in-process intervals are too narrow. The median of the pair ratios suits kernels sensitive
// to memory placement, min/min suits cache-resident ones: both must agree.
#pragma once

#include "tool/evaluate/benchmark/pair_effect.h"
#include "tool/model/measurement.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace agentic {

struct DecisionRule {
  double threshold = 0.02;                     ///< delta: smallest gain that counts
  std::vector<int> stages = {3, 5, 8, 12, 20}; ///< pairs after which a decision is attempted, ascending
  int minimumPairs = 3;                        ///< no verdict before (confirm: 12)
  int bootstrapSamples = 1000;
  double confidence = 0.99;
  std::uint64_t seed = 1; ///< seed of the bootstrap: same pairs, same verdict
  /// Decides Same already at the first stage when neither the median nor the minima show half of the threshold: a
  /// search that compares dozens with its incumbent may miss a small gain, and must not spend 20 pairs on each without
  /// a gain.
  bool needsPromise = false;
  /// The measurement is a confirmed claim: its ratios get the interval of claim_interval.h. Verdicts are the same.
  bool isClaim = false;
};

/// Returns the rule by which Faster means "at most 1 % slower, for sure": the lower bound of the ratio is at least
/// 0.99.
DecisionRule notSlowerRule(DecisionRule rule);

struct Decision {
  Comparison comparison = Comparison::Same;
  Speedup speedup;
};

/// Returns nullopt if more pairs are needed, in particular between two stages. At the last stage and beyond it always
/// decides; "no significant difference" is Same. Every repetition of every pair must be positive and finite.
std::optional<Decision> decide(std::span<const Pair> pairs, const DecisionRule &rule);

/// Combines several benchmarks measured by the same process pairs (`pairs` filled in, equally many; the rest is
/// computed): the geometric mean of each pair's ratios decides by the same rule, and none may be slower by more than
/// `slowerLimit`. nullopt = more pairs are needed. One benchmark: the same as decide().
std::optional<Measurement> combine(std::vector<BenchmarkMeasurement> benchmarks, const DecisionRule &rule,
                                   double slowerLimit = 0.03);

/// Returns the one-sided bootstrap p-value of "not faster by the threshold", never below 1 / (samples + 1). For holm().
double fasterPValue(const Measurement &measurement, const DecisionRule &rule);

/// Returns which hypotheses survive Holm's correction of the p-values at `alpha`.
std::vector<bool> holm(std::span<const double> pValues, double alpha);

/// Returns the smallest difference that this machine can detect, from an A/A measurement: the threshold, or more if the
/// pair ratios spread wider.
double smallestDifference(const Measurement &same, double threshold);

} // namespace agentic
