// Finds the actions of a program that the sandbox would deny, for the error message when the project's own tests pass
// outside the sandbox and fail in it. The program runs unconfined, and each call asks first (seccomp's user
// notification), so use it for the user's own code alone, never for a candidate.
#pragma once

#include "tool/build/sandbox.h"

namespace agentic {

struct WatchedRun {
  ProcessResult process;
  std::vector<std::string> denied; ///< "reading '/data/x'", "writing '/src/log'", "a network socket"; no more than 8
};

/// Runs `spec`, with the caller's limits and environment. Errors: those of runProcess; the kernel has no notifications.
Result<WatchedRun> runWatched(ProcessSpec spec, const Sandbox::View &view);

} // namespace agentic
