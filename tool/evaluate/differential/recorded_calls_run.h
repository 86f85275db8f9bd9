// Records calls of the baseline in the project's tests and benchmarks, and finds out which of them can be repeated
// elsewhere: those whose replay gives the same results, and nothing else.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/differential/recorded_calls.h"
#include "tool/evaluate/differential/recorded_runs.h"
#include "tool/evaluate/differential/replay.h"

#include <functional>
#include <string>
#include <vector>

namespace agentic {

struct TakenCalls {
  std::vector<RecordedCall> calls;
  CallingThreads callers;
};
/// Returns the recorded calls, chosen to the limits of recorded_calls.h; those with uncovered arguments included. A
/// program that fails with the recorder in it contributes its output up to then. Cost: one run of the tests, a short
/// one of each benchmark.
Result<TakenCalls> recordCalls(const RecordingRequest &request);

/// The recorded calls that a replay reproduces.
struct ReplayCheck {
  std::vector<RecordedCall> calls; ///< reproduced: same outputs, same result
  std::uint64_t incomplete = 0;    ///< not reproduced
  std::string notReplayable;       ///< why no call was; empty if one was
};
/// Replays covered calls on the baseline with the outputs' old values in place. A call that violates the contract's
/// declarations counts as reproduced: differential/learning detects it. Cost: one run of the baseline per call.
///
/// `unfused` builds the baseline without fused operations, if there are such, and is called if a result differs: the
/// program that made the call may be compiled for a CPU without them, while the baseline has all that the level has.
using OtherBaseline = std::function<Result<std::string>()>;
Result<ReplayCheck> checkReplay(const ReplayContext &context, const GlueDescription &kernel,
                                std::vector<RecordedCall> calls, const std::string &baseline,
                                const OtherBaseline &unfused = {});

/// Returns some of these calls once more, with less behind a pointer of unknown extent: the memory ends where the
/// baseline stops to write, as far as the baseline does such a call. For kernels that several threads call: behind a
/// slice lie those of other threads, and what is written there undoes their work, also if it is the value that it was.
/// Where less than a quarter would go, nothing does. Cost: two more runs of the baseline per call.
Result<std::vector<RecordedCall>> callsWithEnds(const ReplayContext &context, const GlueDescription &kernel,
                                                const std::vector<RecordedCall> &calls, const std::string &baseline);

/// Returns one sentence for each parameter that was not captured in some call, with the declaration to add.
std::vector<std::string> uncoveredSentences(const GlueDescription &kernel, const std::vector<RecordedCall> &calls);

/// Returns "rows=4 columns=7": integers by value and the sizes of ranges; different ones only.
std::vector<std::string> shapeTexts(const GlueDescription &kernel, const std::vector<RecordedCall> &calls,
                                    bool ofBenchmarks);

/// Returns the pairs of pointers, references and ranges whose captured memory overlaps in a call, one of them written.
/// What stands behind a pointer without a declared extent reaches to the end of its heap block.
std::vector<AliasPair> overlapsOf(const GlueDescription &kernel, const std::vector<RecordedCall> &calls);

} // namespace agentic
