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
#include <optional>
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

/// The most that any code can gain, over the baseline's time of the call that permits the largest gain.
struct Headroom {
  double largestSpeedup = 0;
  BenchmarkCall call;
  double leastSeconds = 0; ///< the floor of that call
};

/// Returns nullopt if there is no call, one of them is unknown, or the machine is not measured.
std::optional<Headroom> headroomOf(std::span<const BenchmarkCall> calls, const Roofline &roofline);

/// "at most 34 times as fast as the unchanged kernel: …", one line for people and models. Of nullopt: that it is not
/// known.
std::string headroomText(const std::optional<Headroom> &headroom);

/// Returns empty, or why no code can be as much faster than the baseline as `claim` says. The ratio of times of one
/// benchmark is checked against the call that permits the largest, because an iteration need not be one call. Returns
/// empty without a headroom.
std::string beyondMachine(const Measurement &claim, std::span<const BenchmarkCall> calls, const Roofline &roofline);

} // namespace agentic
