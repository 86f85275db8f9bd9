// The interval of a confirmed ratio, in which a later, independent measurement of the same code is expected. Pure.
//
// A pair of fresh processes is the unit: pages and layout are the same for all repetitions of a process, so only pairs
// are independent. Of n pairs whose logarithms of the ratio have the median m and, about it, the standard deviation s:
//
//   m +- t(n - 1) * sqrt(pi/2 * s^2 * (1/n + 1/8) + 2 * d^2)
//
// This is Student's prediction interval (Hahn and Meeker, Statistical Intervals, 1991, section 4.3) for another
// measurement of 8 pairs, the smallest size. pi/2 is the variance of a median relative to a mean's, for normal pairs;
// with the longer tails of real ones, s is too large, not too small. d is the deviation between sessions minutes apart
// (neighbours, clock, memory), once for each: the difference of two sessions' medians, and at least kSessionDeviation.
// That is sqrt(2) times the expected deviation, because one difference is small by chance as easily as large. If
// sessions differ by much more than pairs do, still fewer later measurements are inside than the confidence says.
#pragma once

#include "tool/model/measurement.h"

#include <span>

namespace agentic {

/// Deviation of the logarithm of a ratio. A/A pairs (tests/evaluate/data) show no deviation between sessions; two
/// different codes share less.
inline constexpr double kSessionDeviation = 0.005;

/// Quantile of Student's t, by the expansion of Abramowitz and Stegun 26.7.5: four digits from 7 degrees of freedom on.
double studentQuantile(double probability, int degreesOfFreedom);

/// `ratios`: at least two logarithms of candidate time over reference time, one per pair.
Speedup claimedSpeedup(std::span<const double> ratios, double confidence, double sessionDeviation = kSessionDeviation);

/// Joins two sessions' measurements of the same benchmarks: all pairs, and intervals that include the deviation between
/// the sessions. The verdict remains that of `first`.
Measurement joinSessions(Measurement first, const Measurement &second, double confidence);

} // namespace agentic
