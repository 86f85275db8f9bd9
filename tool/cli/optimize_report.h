// The report of `optimize` on a run: its table and its JSON.
#pragma once

#include "tool/cli/console.h"
#include "tool/run/optimize_run.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace agentic {

/// Returns the object of a run without results; every key is there.
nlohmann::json emptyOptimizeResult(const std::string &kernel);

/// Returns the object of a run that `ended` (was not stopped by an error), or of its results so far.
nlohmann::json optimizeResult(const OptimizedKernel &run, bool ended);

void printOptimized(Console &console, const OptimizedKernel &run);

} // namespace agentic
