// One kernel of the suite: the run that `optimize` makes, then what its result is worth: against the expert, against
// the machine, and where nothing was gained, why.
#pragma once

#include "tool/cli/console.h"
#include "tool/evaluate/benchmark/roofline.h"
#include "tool/model/suite.h"
#include "tool/run/optimize_run.h"

#include <optional>

namespace agentic {

/// nullopt: interrupted, so there is nothing to say about this kernel. Any other failure is a row that names it; it is
/// printed, too. `roofline` may be nullptr.
std::optional<SuiteRow> suiteKernel(Console &console, const OptimizeOptions &options, const Roofline *roofline);

} // namespace agentic
