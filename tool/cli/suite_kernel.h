// One kernel of the suite: makes the run of `optimize`, then rates its result: against the expert, against the machine,
// and if nothing was gained, why.
#pragma once

#include "tool/cli/console.h"
#include "tool/evaluate/benchmark/roofline.h"
#include "tool/model/suite.h"
#include "tool/run/optimize_run.h"

#include <optional>

namespace agentic {

struct SuiteResult {
  SuiteRow row;
  std::string measuredOn; ///< the kind of hosts of --farm; empty: this machine
};

/// `explains`: the row says what the estimates promised. Returns nullopt if interrupted. Any other failure is a row
/// that names it; it is also printed. `roofline` may be nullptr. Of a run on other machines, experts and bandwidth are
/// not compared: those are measured here.
std::optional<SuiteResult> suiteKernel(Console &console, const OptimizeOptions &options, const Roofline *roofline,
                                       bool explains = false);

} // namespace agentic
