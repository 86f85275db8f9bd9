// A small process beside ours that ends our children's groups when we die, however we die. PR_SET_PDEATHSIG reaches the
// child alone, and not what that has started (a compiler's passes, what bubblewrap makes while it still starts).
#pragma once

#include <sys/types.h>

namespace agentic {

/// The keeper's own loop: when it returns, the keeper's work is done. `socket`: its end of a SOCK_SEQPACKET pair whose
/// other end only we hold, and our children until exec; its end of file means that we are gone.
void runKeeper(int socket);

/// From now on the group that `leader` leads ends with us. Called by the child itself before exec, so that there is no
/// moment at which it is not watched. Async-signal-safe; does nothing if `socket` is -1 or the keeper is gone.
void watchGroup(int socket, pid_t leader);

/// Before the child is reaped: afterwards its number can be another's.
void releaseGroup(int socket, pid_t leader);

} // namespace agentic
