// A pids cgroup for root, whom RLIMIT_NPROC does not bind.
#pragma once

#include "tool/build/seccomp_filter.h"

#include <cstdint>
#include <memory>

namespace agentic {

/// Returns cgroup.procs of a new group for at most `tasks` processes and threads, which its last owner removes; nullptr
/// where this process may not make one. Also removes groups that killed processes left. ~0.2 ms.
std::shared_ptr<const OwnedDescriptor> taskGroup(std::uint64_t tasks);

/// Returns the number of processes and threads on this machine now; 0 if /proc does not tell.
std::uint64_t runningTasks();

} // namespace agentic
