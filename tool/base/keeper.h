// A small process beside ours that kills our children's process groups when we die, however we die. PR_SET_PDEATHSIG
// reaches the child alone, not the processes that the child started (a compiler's passes, those that bubblewrap makes
// while it starts).
#pragma once

#include <sys/types.h>

namespace agentic {

/// Runs the keeper's loop and returns when its work is done. `socket` is its end of a SOCK_SEQPACKET pair. Only we, and
/// our children until exec, hold the other end, so end of file means that we are gone.
void runKeeper(int socket);

/// Makes the keeper kill the group of `leader` when we die. The child itself calls it before exec, so the group is
/// watched from its first moment. Async-signal-safe; does nothing if `socket` is -1 or the keeper is gone.
void watchGroup(int socket, pid_t leader);

/// Ends the watch on a group. Call it before the child is reaped: afterwards its number may belong to another process.
void releaseGroup(int socket, pid_t leader);

} // namespace agentic
