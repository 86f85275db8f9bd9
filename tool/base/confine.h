// What a child takes from itself for good, between fork and exec: files by Landlock, system calls by seccomp,
// capabilities. All of it is made ready by the parent, so that the child needs async-signal-safe calls only.
#pragma once

#include <string>

namespace agentic {

struct ProcessConfinement {
  /// A descriptor of the child (see ProcessSpec::inheritedDescriptors), an end of a socket pair: `seccompProgram` asks
  /// instead of refusing, and who answers is sent there. Then nothing else is taken from the child.
  int listenerSocket = -1;

  /// A ruleset of landlock_create_ruleset; -1 = none. The child adds its own folder in /proc, read-only: it has no
  /// number before.
  int landlockRuleset = -1;
  std::string seccompProgram;     ///< struct sock_filter[], as seccomp_export_bpf writes it; empty = none
  bool signalsOnlyItself = false; ///< for kernels whose Landlock has no scope for signals: tgkill to itself alone
};

/// In the child; `ruleset`: its copy of landlockRuleset. Drops every capability and forbids new privileges as well.
/// False, with errno, if a part fails.
bool confineSelf(const ProcessConfinement &confinement, int ruleset);

} // namespace agentic
