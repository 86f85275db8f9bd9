// The bubblewrap command line: name spaces, mounts, system call filter.
#pragma once

#include "tool/build/sandbox.h"

namespace agentic {

/// `spec` inside bwrap with `environment` and nothing else. Limits are the caller's.
Result<ProcessSpec> inBubblewrap(ProcessSpec spec, const Sandbox::View &view, bool userNamespace,
                                 const std::vector<std::string> &environment);

} // namespace agentic
