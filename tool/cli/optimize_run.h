// One kernel's optimize run as the user sees it: preparation, progress, confirm, write-back, final table.
#pragma once

#include "tool/cli/common.h"
#include "tool/model/run_config.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace agentic {

struct OptimizeOptions {
  CommonOptions common;
  RunConfig config;
  std::string agent;      ///< empty = the manifest's
  int maxIterations = -1; ///< -1 = not given
  double maxSeconds = -1; ///< -1 = not given
};

/// Returns the exit status. With --json the last line of stdout is the result object, whatever happened.
int optimizeKernel(Console &console, const OptimizeOptions &options);

nlohmann::json emptyOptimizeResult(const std::string &kernel);

} // namespace agentic
