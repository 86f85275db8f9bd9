// The parts of our own launcher that the parent prepares before fork: a Landlock ruleset for the view, and the system
// call filter. The child (tool/base/confine.h) applies them.
#pragma once

#include "tool/build/sandbox.h"

namespace agentic {

/// Returns the running kernel's Landlock version; 0 = none. From 3 on it guards truncation, from 4 TCP, from 6 signals.
int landlockVersion();

/// Returns `spec` confined, with a private temporary folder, which lives as long as the spec, as TMPDIR and HOME where
/// `environment` sets none. Errors: no Landlock; a writable folder does not exist.
Result<ProcessSpec> underLandlock(ProcessSpec spec, const Sandbox::View &view,
                                  const std::vector<std::string> &environment);

} // namespace agentic
