// The effect of paired timings, in logarithms: below zero the candidate is faster. Pure.
#pragma once

#include "tool/model/measurement.h"

#include <span>
#include <vector>

namespace agentic {

struct Effect {
  std::vector<double> ratios; ///< per pair
  double byMinimum = 0;       ///< ratio of the two fastest
};

/// Every repetition of every pair must be positive and finite.
Effect effectOf(std::span<const Pair> pairs);

/// Returns each pair's mean over the benchmarks, which have equally many pairs.
Effect meanEffect(const std::vector<BenchmarkMeasurement> &benchmarks);

/// Sets medians over the pairs; for the measurement, geometric means over its benchmarks, whose times are set.
void setTimes(BenchmarkMeasurement &benchmark);
void setTimes(Measurement &measurement);

} // namespace agentic
