// Child processes. The only place in the project that forks.
//
// Every child runs in its own process group, which dies with us (a keeper process kills it, even after our SIGKILL). It
// has capped output and a wall-time limit, after which the whole group is killed. A call blocks until the child has
// ended. Thread-safe.
#pragma once

#include "tool/base/confine.h"
#include "tool/base/error.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// Limits set in the child before exec; 0 = inherit. Core dumps are always off.
struct ProcessLimits {
  std::uint64_t addressSpaceBytes = 0;
  std::uint64_t cpuSeconds = 0;
  std::uint64_t fileSizeBytes = 0;
  std::uint64_t openFiles = 0;
  /// Limit on all processes and threads of the user (RLIMIT_NPROC), without effect for root: see `joinedGroup`.
  std::uint64_t processes = 0;
  /// Limit on all `writtenFolders` together, checked every 50 ms: the group is killed when they hold more.
  std::uint64_t writtenBytes = 0;
};

struct ProcessSpec {
  /// argv[0] is looked up in PATH of this process; with a '/' in it, it is a path relative to workingDirectory.
  std::vector<std::string> argv;
  std::string workingDirectory;                                      ///< empty = inherit
  std::optional<std::vector<std::string>> environment;               ///< "K=V" entries, complete; nullopt = inherit
  std::vector<std::pair<std::string, std::string>> addedEnvironment; ///< set on top of `environment`
  std::string input;                                                 ///< written to stdin, which is then closed
  double timeoutSeconds = 60;                                        ///< wall time; the group is killed after it
  std::size_t outputCapBytes = 1u << 20;                             ///< per stream; the rest is read and dropped
  bool mergeOutput = false;                                          ///< stderr goes into `out`, in order
  std::optional<int> cpu;                                            ///< pin to this CPU
  ProcessLimits limits;
  std::vector<std::string> writtenFolders;               ///< counted against limits.writtenBytes
  std::shared_ptr<const ProcessConfinement> confinement; ///< nullptr = none
  bool ownSession = false;                               ///< no controlling terminal
  bool fixedAddresses = false;                  ///< without address space randomization, where the system permits that
  int joinedGroup = -1;                         ///< open cgroup.procs that the child enters, if it can
  const std::atomic<bool> *cancelled = nullptr; ///< polled; true kills the group
  std::vector<std::pair<int, int>> inheritedDescriptors; ///< (fd here, fd in the child); all others are closed
  std::vector<std::shared_ptr<const void>> keepAlive;    ///< owners of inheritedDescriptors, while the spec lives
};

struct ProcessResult {
  enum class End { Exited, Signalled, TimedOut, Cancelled, WroteTooMuch };
  End end = End::Exited;
  int code = 0; ///< exit status, or the signal's number when Signalled
  std::string out, err;
  bool truncated = false; ///< output reached the cap
  double wallSeconds = 0;
  double cpuSeconds = 0;     ///< user + system time of the child and the descendants that it waited for (wait4)
  double timeoutSeconds = 0; ///< the limit that the child ran under
  bool ok() const { return end == End::Exited && code == 0; }
  /// "exited with status 3", "was killed by SIGSEGV", "ran longer than 60 s", "was interrupted", "wrote too
  /// much".
  std::string describe() const;
};

/// Runs the child to its end. Fails only when the child could not be started (program missing, fork failed).
Result<ProcessResult> runProcess(const ProcessSpec &spec);

/// Returns the absolute path of `program` as PATH finds it; nullopt if PATH does not have it.
std::optional<std::string> findProgram(const std::string &program);

} // namespace agentic
