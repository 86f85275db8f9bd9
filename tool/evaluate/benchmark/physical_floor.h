// Nothing is faster than the bytes that it has to move. A claim that no code can meet on this machine is a trick or a
// mistake, whatever the tests say: a result that is remembered needs no input. Pure.
//
// A lower bound throughout: in doubt, less counts. An output counts where the baseline writes it. An input counts only
// as far as results depend on it: of single elements that were changed, the share that changed a result, less what
// chance may have added. The larger of reading and writing counts, not their sum, at twice the best bandwidth that the
// nearest cache which holds the call ever showed.
#pragma once

#include "tool/evaluate/benchmark/roofline.h"
#include "tool/model/measurement.h"

#include <cstddef>
#include <span>
#include <string>

namespace agentic {

/// A speedup from which on a claim is held against the machine.
inline constexpr double kSuspiciousSpeedup = 10;

/// The least share of an input that results depend on, of which `changed` of `sampled` changes of one element changed a
/// result: the 95 % bound of Clopper and Pearson (Biometrika 26, 1934). 0 without samples.
double leastShare(std::size_t changed, std::size_t sampled);

/// A call that a benchmark makes.
struct BenchmarkCall {
  double movedBytes = 0; ///< that any code has to move; 0 = not known
  double callBytes = 0;  ///< of all arguments: what a cache must hold
  double seconds = 0;    ///< that the baseline takes
};

/// Empty, or why no code can be as much faster than the baseline as `claim` says. A ratio of times of one benchmark is
/// held against the call that permits the largest: what an iteration of a benchmark does need not be one call. Nothing
/// is said where nothing is known of one of the calls.
std::string beyondMachine(const Measurement &claim, std::span<const BenchmarkCall> calls, const Roofline &roofline);

} // namespace agentic
