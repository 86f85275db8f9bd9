// Records calls of the baseline in the project's tests and benchmarks, and finds out which of them can be repeated
// elsewhere: those whose replay gives the same results, and nothing else.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/differential/recorded_calls.h"
#include "tool/evaluate/differential/recorded_runs.h"
#include "tool/evaluate/differential/replay.h"

#include <string>
#include <vector>

namespace agentic {

/// Every call that was taken down, chosen to the limits of recorded_calls.h; those with uncovered arguments included.
/// A program that fails with the recorder in it gives what it wrote until then. Cost: one run of the tests, a short one
/// of each benchmark.
Result<std::vector<RecordedCall>> recordCalls(const RecordingRequest &request);

/// Which recorded calls a replay reproduces.
struct ReplayCheck {
  std::vector<RecordedCall> calls; ///< reproduced: same outputs, same result
  std::uint64_t incomplete = 0;    ///< not reproduced
  std::string notReplayable;       ///< why none was; empty if one was
};
/// Replays covered calls on the baseline with the outputs' old values in place. A call that leaves what the contract
/// declares counts as reproduced: that is for differential/learning to tell. Cost: one run of the baseline per call.
Result<ReplayCheck> checkReplay(const ReplayContext &context, const GlueDescription &kernel,
                                std::vector<RecordedCall> calls, const std::string &baseline);

/// One sentence per parameter that was not captured in some call, with what to declare.
std::vector<std::string> uncoveredSentences(const GlueDescription &kernel, const std::vector<RecordedCall> &calls);

/// "rows=4 columns=7": integers by value and the sizes of ranges; different ones only.
std::vector<std::string> shapeTexts(const GlueDescription &kernel, const std::vector<RecordedCall> &calls,
                                    bool ofBenchmarks);

} // namespace agentic
