// A limit of CPU time for a child. Wall time says little of it: other programs may run on the same CPU.
#pragma once

#include "tool/base/error.h"
#include "tool/base/process.h"

#include <string>

namespace agentic {

/// Gives the child so many seconds of a CPU, and six times as many of wall time to get them.
void limitCpu(ProcessSpec &spec, double seconds);

/// Returns whether a child that was limited so used them up. A sandbox may tell its end by a status.
bool hasUsedUpCpu(const ProcessResult &result, double seconds);

/// The error of a child that timed out without them: nothing is known of what it worked on. `name`: of the child.
std::unexpected<Error> starvedError(const std::string &name, double seconds);

} // namespace agentic
