// What `optimize` says about a run: its table and its JSON.
#pragma once

#include "tool/cli/console.h"
#include "tool/run/optimize_run.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace agentic {

/// The object of a run that got nowhere; every key is there.
nlohmann::json emptyOptimizeResult(const std::string &kernel);

/// Of a run that `ended` (was not stopped by an error), or of as much as there is.
nlohmann::json optimizeResult(const OptimizedKernel &run, bool ended);

void printOptimized(Console &console, const OptimizedKernel &run);

} // namespace agentic
