// A pids cgroup for root, whom RLIMIT_NPROC does not bind.
#pragma once

#include "tool/build/seccomp_filter.h"

#include <cstdint>
#include <memory>

namespace agentic {

/// cgroup.procs of a new group for at most `tasks` processes and threads, removed with its last owner; nullptr where
/// this process may not make one. Groups that killed processes left are removed. ~0.2 ms.
std::shared_ptr<const OwnedDescriptor> taskGroup(std::uint64_t tasks);

/// Processes and threads on this machine now; 0 if /proc does not tell.
std::uint64_t runningTasks();

} // namespace agentic
