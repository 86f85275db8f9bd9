// What paired timings amount to, in logarithms: below zero the candidate is faster. Pure.
#pragma once

#include "tool/model/measurement.h"

#include <span>
#include <vector>

namespace agentic {

struct Effect {
  std::vector<double> ratios; ///< per pair
  double byMinimum = 0;       ///< fastest against fastest
};

/// Every repetition of every pair must be positive and finite.
Effect effectOf(std::span<const Pair> pairs);

/// Of each pair the mean over the benchmarks, which have equally many pairs.
Effect meanEffect(const std::vector<BenchmarkMeasurement> &benchmarks);

/// Medians over the pairs; of the measurement geometric means over its benchmarks, whose times are set.
void setTimes(BenchmarkMeasurement &benchmark);
void setTimes(Measurement &measurement);

double median(std::vector<double> values);         ///< of a non-empty list
double medianInPlace(std::vector<double> &values); ///< leaves them in another order

} // namespace agentic
