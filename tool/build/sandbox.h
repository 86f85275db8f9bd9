// Where candidates are compiled and run: bubblewrap with namespaces; where that does not work our own launcher with
// Landlock; rlimits alone where neither does. Seccomp and limits in the first two cases.
//
// The sandbox sees /usr, the toolchain, what the view names read-only, and the view's writable folders; no network, an
// empty environment but for what is passed, no other processes, a temporary folder of its own. With the own launcher
// names, sizes and times of other files can be learnt (Landlock guards their content), and /tmp is not there: TMPDIR
// is. Launch: bubblewrap 5 ms, own launcher 1.5 ms. Neither changes timings (< 0.7 %).
#pragma once

#include "tool/base/error.h"
#include "tool/base/process.h"
#include "tool/build/seccomp_filter.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// Of every run, where the spec has no limit of its own. Core dumps are off. A value of kNoLimit lifts one.
inline constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};
inline constexpr std::uint64_t kSandboxMemory = std::uint64_t{4} << 30;         ///< address space of one process
inline constexpr std::uint64_t kSandboxFileBytes = std::uint64_t{64} << 20;     ///< of one file
inline constexpr std::uint64_t kSandboxWrittenBytes = std::uint64_t{512} << 20; ///< in all writable folders together
inline constexpr std::uint64_t kSandboxTmpBytes = std::uint64_t{256} << 20;     ///< /tmp; and as much in /dev/shm
inline constexpr std::uint64_t kSandboxOpenFiles = 256;
/// Threads included, on top of what the machine runs already: RLIMIT_NPROC, or for root, whom that does not bind, a
/// pids cgroup shared by all runs of this process. Root without a writable cgroup is limited by Tasks alone.
inline constexpr std::uint64_t kSandboxTasks = 512;
// CPU time: the wall-time limit times the number of CPUs.

class Sandbox {
public:
  /// From strongest to weakest.
  enum class Strength { Bubblewrap, BubblewrapNoUserNamespace, OwnLauncher, RlimitsOnly };

  /// Probes what works here, by trying (5 ms; more where the stronger kinds fail). Not cached: a sandbox that worked
  /// yesterday and fails today would look like a failing candidate.
  static Sandbox probe();
  /// nullopt where that kind does not work.
  static std::optional<Sandbox> ofStrength(Strength strength);
  static Sandbox none() { return Sandbox(Strength::RlimitsOnly, "no sandbox was asked for"); }
  /// Holds nothing back, and remembers what a sandbox would have denied. For the user's own programs alone.
  static Sandbox watching();
  std::vector<std::string> wouldBeDenied() const;

  Strength strength() const { return strength_; }
  bool confines() const { return strength_ != Strength::RlimitsOnly; }
  /// "bubblewrap", "bubblewrap without user namespace", "Landlock and seccomp", "resource limits alone".
  std::string name() const;
  /// Empty if it confines; else one sentence with the reason and what to install or allow.
  std::string warning() const;

  struct View {
    std::vector<std::string> readOnly; ///< folders and files visible besides the system's
    std::vector<std::string> writable; ///< must exist
    std::vector<std::string>
        hidden; ///< folders inside `readOnly` ones; what is named below them is visible all the same
    Tasks tasks = Tasks::Processes; ///< what the program may start
  };
  /// Runs `spec` inside. A program killed by a signal is Signalled, as without a sandbox; `cpuSeconds` covers the
  /// program and what it waited for. A failure of the sandbox itself is an Error. argv[0] must be visible inside.
  /// Nothing that the program started is left when this returns.
  Result<ProcessResult> run(ProcessSpec spec, const View &view) const;

  /// `spec` rewritten to run inside; limits are added where `spec` has none, its environment starts empty but for PATH,
  /// HOME, LC_ALL and, with the own launcher, TMPDIR. Use `run` unless the command is to be shown.
  Result<ProcessSpec> wrap(ProcessSpec spec, const View &view) const;

private:
  Sandbox(Strength strength, std::string reason);
  Strength strength_;
  std::string reason_;
  std::shared_ptr<std::vector<std::string>> denied_; ///< of watching()
  std::shared_ptr<const OwnedDescriptor> taskGroup_; ///< cgroup.procs; nullptr where RLIMIT_NPROC does it
};

/// Makes `spec` start in an empty private folder, which lives as long as the spec.
Result<void> startInEmptyFolder(ProcessSpec &spec);

} // namespace agentic
