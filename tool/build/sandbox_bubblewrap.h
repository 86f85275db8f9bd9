// Makes the bubblewrap command line: name spaces, mounts, system call filter.
#pragma once

#include "tool/build/sandbox.h"

namespace agentic {

/// Returns `spec` inside bwrap with exactly `environment`. The caller sets limits.
Result<ProcessSpec> inBubblewrap(ProcessSpec spec, const Sandbox::View &view, bool userNamespace,
                                 const std::vector<std::string> &environment);

} // namespace agentic
