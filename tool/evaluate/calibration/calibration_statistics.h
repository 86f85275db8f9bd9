// Statistics of many comparisons of known code, about a machine and the rule that judged them. Pure.
#pragma once

#include "tool/evaluate/benchmark/statistics.h"

#include <span>

namespace agentic {

/// Returns one-sided Clopper-Pearson bounds of a proportion of which `events` of `trials` were seen: with `confidence`
/// the true proportion is at most, or at least, this. Without trials 1 and 0. For no event in n the upper bound is
/// nearly 3 / n at 95 %.
double proportionAtMost(int events, int trials, double confidence = 0.95);
double proportionAtLeast(int events, int trials, double confidence = 0.95);

/// Returns the relative spread of the pair ratios of identical code: a standard deviation that outliers do not move
/// (1.48 times the median distance from the median). 0 without pairs.
double pairNoise(std::span<const Pair> pairs);

/// Returns the smallest gain, in steps of half a percent, that the rule accepts in nine of ten comparisons: pairs of
/// identical code, drawn anew and scaled by the gain, are judged like a candidate's. 1 = none up to 50 %. Takes about
/// 0.3 s.
double smallestDetectableGain(std::span<const Pair> sameCode, const DecisionRule &rule);

/// Returns the threshold that this machine needs, from measurements of identical code: `least`, unless the lower end of
/// an interval came so near to it that twice as much is above it; at most 10 %.
double thresholdFor(std::span<const Speedup> sameCode, double least);

} // namespace agentic
