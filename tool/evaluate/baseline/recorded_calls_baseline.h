// The step "recording" of learning the baseline: its glue, its recorded calls, and which of them can be replayed.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/baseline/preparation.h"
#include "tool/evaluate/differential/in_process.h"

#include <string>

namespace agentic {

/// Records calls into `directory`. A kernel whose calls cannot be captured is no error: the facts say why. Cost: a run
/// of the tests, a short one of each benchmark, one of each recorded call; if some calls cannot be captured, the
/// baseline is compared with itself in the place where they are made, once.
Result<RecordingFacts> recordBaseline(const Prepared &prepared, const EvaluatorOptions &options,
                                      const std::string &directory, const std::string &scratch);

/// Compares a candidate in the place where the calls are made (differential/in_process.h). For kernels with calls that
/// cannot be captured: facts.recording.comparedInProcess.
Result<InProcessOutcome> compareUncaptured(const Prepared &prepared, const EvaluatorOptions &options,
                                           const std::string &sharedObject, const std::string &scratch);

/// Audits a candidate in the benchmarks (differential/in_process.h).
Result<InProcessOutcome> auditBenchmarkCalls(const Prepared &prepared, const EvaluatorOptions &options,
                                             const std::string &sharedObject, const std::string &scratch);

} // namespace agentic
