// Our own launcher's part that can be made ready before fork: a Landlock ruleset for the view, and the system call
// filter. The child (tool/base/confine.h) takes them on.
#pragma once

#include "tool/build/sandbox.h"

namespace agentic {

/// Of the running kernel; 0 = no Landlock. From 3 on it guards truncation, from 4 TCP, from 6 signals.
int landlockVersion();

/// `spec` confined, with a private temporary folder, which lives as long as the spec, as TMPDIR and HOME where
/// `environment` has none of its own. Errors: no Landlock; a writable folder does not exist.
Result<ProcessSpec> underLandlock(ProcessSpec spec, const Sandbox::View &view,
                                  const std::vector<std::string> &environment);

} // namespace agentic
