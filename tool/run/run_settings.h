// What a run is asked for, and what it is a run of.
#pragma once

#include "tool/run/optimize_run.h"
#include "tool/search/journal.h"

namespace agentic {

/// What the search for this kernel may take, and all of its run, with the project's and the agent's defaults.
BudgetLimits settledLimits(const OptimizeOptions &options, const Manifest &manifest);

/// The options, with the project's and the agent's defaults; `before`: the run that is resumed, or nullptr. Errors: a
/// file of the options that cannot be read.
Result<RunConfig> settleRun(const OptimizeOptions &options, const Manifest &manifest, const RunRecord *before);

/// What must be unchanged for it to be resumed.
RunIdentity identityOf(const Evaluator &evaluator, const RunConfig &config);

/// For who reads of the run later.
RunDescription describeRun(const Evaluator &evaluator);

} // namespace agentic
