// The rights that a child gives up for good between fork and exec: files by Landlock, system calls by seccomp,
// capabilities. The parent prepares everything, so the child makes async-signal-safe calls only.
#pragma once

#include <string>

namespace agentic {

struct ProcessConfinement {
  /// The child's descriptor (see ProcessSpec::inheritedDescriptors) of one end of a socket pair. If set,
  /// `seccompProgram` asks instead of refusing, the child sends the listener that answers through this socket, and
  /// nothing else is taken from the child.
  int listenerSocket = -1;

  /// A ruleset of landlock_create_ruleset; -1 = none. The child adds its own folder in /proc, read-only, because the
  /// parent does not know its number.
  int landlockRuleset = -1;
  std::string seccompProgram;     ///< struct sock_filter[], as seccomp_export_bpf writes it; empty = none
  bool signalsOnlyItself = false; ///< for kernels whose Landlock has no scope for signals: tgkill to itself alone
};

/// Confines the calling process, the child; `ruleset` is its copy of landlockRuleset. Also drops every capability and
/// forbids new privileges. Returns false, with errno set, if a part fails.
bool confineSelf(const ProcessConfinement &confinement, int ruleset);

} // namespace agentic
