// The lower bound of a call's time: nothing is faster than the bytes that it has to move. A claim below it is a trick
// or a mistake, whatever the tests say: a remembered result needs no input. Pure.
//
// In doubt the smaller value counts throughout. An output counts where the baseline writes it. An input counts only as
// far as results depend on it: of single elements that were changed, the share that changed a result, less the possible
// contribution of chance. The larger of reading and writing counts, not their sum, at twice the best bandwidth that the
// nearest cache which holds the call ever showed.
#pragma once

#include "tool/evaluate/benchmark/roofline.h"
#include "tool/model/measurement.h"

#include <cstddef>
#include <span>
#include <string>

namespace agentic {

/// The speedup from which on a claim is checked against the machine.
inline constexpr double kSuspiciousSpeedup = 10;

/// Returns the least share of an input that results depend on, if `changed` of `sampled` changes of one element changed
/// a result: the 95 % bound of Clopper and Pearson (Biometrika 26, 1934). 0 without samples.
double leastShare(std::size_t changed, std::size_t sampled);

/// A call that a benchmark makes.
struct BenchmarkCall {
  double movedBytes = 0; ///< bytes that any code has to move; 0 = not known
  double callBytes = 0;  ///< size of all arguments, which a cache must hold
  double seconds = 0;    ///< the baseline's time
};

/// Returns empty, or why no code can be as much faster than the baseline as `claim` says. The ratio of times of one
/// benchmark is checked against the call that permits the largest, because an iteration need not be one call. Returns
/// empty if one of the calls is unknown.
std::string beyondMachine(const Measurement &claim, std::span<const BenchmarkCall> calls, const Roofline &roofline);

} // namespace agentic
