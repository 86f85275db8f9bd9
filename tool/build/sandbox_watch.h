// What of a program's doings the sandbox would deny: for the error message when the project's own tests pass outside
// the sandbox and fail in it. The program runs unconfined and is asked before each call (seccomp's user notification),
// so this is for the user's own code alone, never for a candidate.
#pragma once

#include "tool/build/sandbox.h"

namespace agentic {

struct WatchedRun {
  ProcessResult process;
  std::vector<std::string> denied; ///< "reading '/data/x'", "writing '/src/log'", "a network socket"; no more than 8
};

/// Runs `spec`, with the caller's limits and environment. Errors: as runProcess; the kernel has no notifications.
Result<WatchedRun> runWatched(ProcessSpec spec, const Sandbox::View &view);

} // namespace agentic
