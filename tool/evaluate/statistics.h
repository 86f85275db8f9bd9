// The decision rule for paired timings. Pure.
//
// Source: measured A/A process pairs on a shared machine (tests/data/pool256.csv, pool480.csv); the process is the unit
// of replication, in-process intervals are too narrow. The median of the pair ratios suits kernels sensitive to memory
// placement, min/min suits cache-resident ones: both must agree.
#pragma once

#include "tool/model/measurement.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace agentic {

struct DecisionRule {
  double threshold = 0.02;               ///< delta: smallest gain that counts
  std::vector<int> stages = {3, 5, 8, 12, 20}; ///< pairs after which a decision is attempted
  int minimumPairs = 3;                  ///< no verdict before (confirm: 12)
  int bootstrapSamples = 1000;
  double confidence = 0.99;
  std::uint64_t seed = 1;                ///< of the bootstrap: same pairs, same verdict
};

struct Decision {
  Comparison comparison = Comparison::Same;
  Speedup speedup;
};

/// nullopt = more pairs are needed. At the last stage always a decision; "no significant difference" is Same.
std::optional<Decision> decide(std::span<const Pair> pairs, const DecisionRule &rule);

/// Several benchmarks: the geometric mean decides; none slower by more than `slowerLimit` (0.03).
Measurement combine(std::vector<BenchmarkMeasurement> benchmarks, double slowerLimit = 0.03);

/// p-values → which hypotheses survive Holm's correction at `alpha`.
std::vector<bool> holm(std::span<const double> pValues, double alpha);

} // namespace agentic
