// Probes the recorded calls with a first run of the baseline: how long each takes, and whether the baseline depends on
// the old contents of its outputs.
#pragma once

#include "tool/base/error.h"
#include "tool/build/glue.h"
#include "tool/evaluate/differential/plan.h"
#include "tool/evaluate/differential/replay.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace agentic {

struct ProbeRequest {
  const GlueDescription *kernel = nullptr;
  std::vector<PlannedCall> calls; ///< recorded ones
  std::uint64_t seed = 1;
  std::size_t mostRepeated = 1;
  std::function<Result<ReplayOutcome>(const Plan &)> runBaseline;
};

struct ProbedCalls {
  /// All requested calls, with their time. An argument without a declared direction is an output if two kinds of
  /// garbage in it give the same results, or stay unchanged.
  std::vector<PlannedCall> calls;
  /// Some of them once more, their InOut arguments holding the results already. Only if the baseline's results stay the
  /// same, bit for bit: then the old contents do not matter to it, and must not look like the answer to a candidate
  /// when an input has changed. Whether the project makes such calls itself is left to chance and to the recorder.
  std::vector<PlannedCall> repeated;
};

/// Cost: one run of all calls, twice if there is garbage to try; another of the repeated ones. A call that the baseline
/// does not survive stays as it is. Errors: those of runBaseline.
Result<ProbedCalls> probeCalls(ProbeRequest request);

} // namespace agentic
