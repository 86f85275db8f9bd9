// One kernel of the suite: makes the run of `optimize`, then rates its result: against the expert, against the machine,
// and if nothing was gained, why.
#pragma once

#include "tool/cli/console.h"
#include "tool/evaluate/benchmark/roofline.h"
#include "tool/model/suite.h"
#include "tool/run/optimize_run.h"

#include <optional>

namespace agentic {

/// Returns nullopt if interrupted. Any other failure is a row that names it; it is also printed. `roofline` may be
/// nullptr.
std::optional<SuiteRow> suiteKernel(Console &console, const OptimizeOptions &options, const Roofline *roofline);

} // namespace agentic
