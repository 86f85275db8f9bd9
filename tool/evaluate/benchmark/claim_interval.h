// The interval of a confirmed ratio: where a later, independent measurement of the same code is expected. Pure.
//
// A pair of fresh processes is the unit: pages and layout are the same for all repetitions of a process, so only pairs
// are independent. Of n pairs whose logarithms of the ratio have the median m and, about it, the standard deviation s:
//
//   m +- t(n - 1) * sqrt(pi/2 * s^2 * (1/n + 1/8) + 2 * d^2)
//
// That is Student's prediction interval (Hahn and Meeker, Statistical Intervals, 1991, section 4.3) for another
// measurement of 8 pairs, the fewest that one has. pi/2 is the variance of a median relative to a mean's, for normal
// pairs; with the longer tails of real ones s is too large, not too small. d is what differs from one session to the
// next, minutes later (neighbours, clock, memory), once for either: the difference of two sessions' medians, and
// never below kSessionDeviation. That is sqrt(2) times what a difference is expected to be, because one difference is
// small by chance as easily as large; where sessions differ by much more than pairs do, fewer later measurements lie
// inside than the confidence says all the same.
#pragma once

#include "tool/model/measurement.h"

#include <span>

namespace agentic {

/// Of the logarithm of a ratio. In A/A pairs (tests/evaluate/data) nothing between sessions shows; two different codes
/// share less.
inline constexpr double kSessionDeviation = 0.005;

/// Quantile of Student's t, by the expansion of Abramowitz and Stegun 26.7.5: four digits from 7 degrees of freedom on.
double studentQuantile(double probability, int degreesOfFreedom);

/// Of at least two logarithms of candidate time over reference time, one per pair.
Speedup claimedSpeedup(std::span<const double> ratios, double confidence, double sessionDeviation = kSessionDeviation);

/// Two sessions' measurements of the same benchmarks as one: all pairs, and intervals that know how much the sessions
/// differ. The verdict stays the first one's.
Measurement joinSessions(Measurement first, const Measurement &second, double confidence);

} // namespace agentic
