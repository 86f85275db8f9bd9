// Settles the settings and the identity of a run.
#pragma once

#include "tool/run/optimize_run.h"
#include "tool/search/journal.h"

namespace agentic {

/// Returns the limits of the search for this kernel and of its whole run, with the project's and the agent's defaults.
BudgetLimits settledLimits(const OptimizeOptions &options, const Manifest &manifest);

/// Returns the options with the project's and the agent's defaults; `before`: the resumed run, or nullptr. Errors: a
/// file of the options that cannot be read.
Result<RunConfig> settleRun(const OptimizeOptions &options, const Manifest &manifest, const RunRecord *before);

/// Keeps the settings of an interrupted run, `then`, that are not given now.
void continueAsBefore(RunConfig &config, const RunConfig &then, const OptimizeOptions &options);

/// Returns the identity that must be unchanged for the run to be resumed.
RunIdentity identityOf(const Evaluator &evaluator, const RunConfig &config);

/// Returns a description for later readers of the run.
RunDescription describeRun(const Evaluator &evaluator);

} // namespace agentic
