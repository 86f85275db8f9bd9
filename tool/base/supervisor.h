// Waits for one child that process.cpp started.
#pragma once

#include "tool/base/pipes.h"
#include "tool/base/process.h"

#include <functional>
#include <sys/types.h>

namespace agentic {

/// Reads both streams up to their cap until `child`, the leader of its group, has ended. Kills the group when the time
/// is up, when the run is cancelled, when it wrote too much, and at the end for processes that the child left behind.
/// Reaps the child; calls `beforeReaping` when nothing of the group is left. `err` may be closed (merged output).
/// `start` is steadySeconds() at the child's start.
ProcessResult superviseChild(const ProcessSpec &spec, pid_t child, double start, Descriptor out, Descriptor err,
                             const std::function<void()> &beforeReaping);

} // namespace agentic
