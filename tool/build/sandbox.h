// The sandbox in which candidates are compiled and run: bubblewrap with namespaces; where that does not work, our own
// launcher with Landlock; where neither works, rlimits alone. Seccomp and limits apply in the first two cases.
//
// The program sees /usr, the toolchain, the view's read-only paths and the view's writable folders; no network, an
// environment with only the passed variables, no other processes, a temporary folder of its own. Under the own launcher
// names, sizes and times of other files can be learnt (Landlock guards their content), and /tmp is missing: TMPDIR
// replaces it. Launch: bubblewrap 5 ms, own launcher 1.5 ms. Neither changes timings (< 0.7 %).
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

class ProgramsElsewhere;

/// Limits of every run whose spec has none of its own. Core dumps are off. The value kNoLimit lifts a limit.
inline constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};
inline constexpr std::uint64_t kSandboxMemory = std::uint64_t{4} << 30;         ///< address space of one process
inline constexpr std::uint64_t kSandboxFileBytes = std::uint64_t{64} << 20;     ///< size of one file
inline constexpr std::uint64_t kSandboxWrittenBytes = std::uint64_t{512} << 20; ///< sum over all writable folders
inline constexpr std::uint64_t kSandboxTmpBytes = std::uint64_t{256} << 20;     ///< size of /tmp, and also of /dev/shm
inline constexpr std::uint64_t kSandboxOpenFiles = 256;
/// Processes and threads on top of those that the machine runs already: RLIMIT_NPROC, or for root, whom that does not
/// bind, a pids cgroup shared by all runs of this process. Root without a writable cgroup is limited by Tasks alone.
inline constexpr std::uint64_t kSandboxTasks = 512;
// CPU time: the wall-time limit times the number of CPUs.

class Sandbox {
public:
  /// The kinds of sandbox, from strongest to weakest.
  enum class Strength { Bubblewrap, BubblewrapNoUserNamespace, OwnLauncher, RlimitsOnly };

  /// Finds the strongest kind that works here, by trying (5 ms; more where the stronger kinds fail). Not cached: a
  /// sandbox that worked yesterday and fails today would look like a failing candidate.
  static Sandbox probe();
  /// Returns a sandbox of that kind; nullopt where the kind does not work.
  static std::optional<Sandbox> ofStrength(Strength strength);
  static Sandbox none() { return Sandbox(Strength::RlimitsOnly, "no sandbox was asked for"); }
  /// Returns a sandbox that confines nothing and records what a real one would have denied. For the user's own programs
  /// alone.
  static Sandbox watching();
  /// Returns a sandbox whose run() is that of another machine. For programs alone: compilers run here.
  static Sandbox elsewhere(std::shared_ptr<ProgramsElsewhere> programs);
  std::vector<std::string> wouldBeDenied() const;

  Strength strength() const { return strength_; }
  bool confines() const { return strength_ != Strength::RlimitsOnly; }
  /// "bubblewrap", "bubblewrap without user namespace", "Landlock and seccomp", "resource limits alone".
  std::string name() const;
  /// Returns an empty string if it confines; else one sentence with the reason and what to install or allow.
  std::string warning() const;

  struct Placed {
    std::string file, place;
  };
  struct View {
    std::vector<std::string> readOnly; ///< folders and files visible besides the system's
    std::vector<std::string> writable; ///< must exist
    std::vector<std::string>
        hidden; ///< folders inside `readOnly` ones; paths below them that the view names stay visible
    /// Files of this machine that the program sees, read-only, in another place, and empty folders that it sees: a
    /// place must not lie in the system's folders. Bubblewrap only: the other kinds cannot move anything.
    std::vector<Placed> placed{};
    std::vector<std::string> folders{};
    std::vector<Placed> writablePlaced{}; ///< the same for folders that the program may write to; they must exist
    Tasks tasks = Tasks::Processes;       ///< what the program may start
  };
  /// Runs `spec` inside. A program killed by a signal is Signalled, as without a sandbox; `cpuSeconds` covers the
  /// program and the children that it waited for. A failure of the sandbox itself is an Error. argv[0] must be visible
  /// inside. No process that the program started is left when this returns.
  Result<ProcessResult> run(ProcessSpec spec, const View &view) const;

  /// Returns `spec` rewritten to run inside; limits are added where `spec` has none, and its environment starts empty
  /// but for PATH, HOME, LC_ALL and, with the own launcher, TMPDIR. Use `run` unless the command is to be shown.
  Result<ProcessSpec> wrap(ProcessSpec spec, const View &view) const;

private:
  Sandbox(Strength strength, std::string reason);
  Strength strength_;
  std::string reason_;
  std::shared_ptr<std::vector<std::string>> denied_; ///< record of watching()
  std::shared_ptr<const OwnedDescriptor> taskGroup_; ///< cgroup.procs; nullptr where RLIMIT_NPROC limits
  std::shared_ptr<ProgramsElsewhere> elsewhere_;     ///< nullptr: programs run here
};

/// Runs sandboxed programs on another machine. Thread-safe.
class ProgramsElsewhere {
public:
  virtual ~ProgramsElsewhere() = default;
  /// As Sandbox::run(). Files below a writable folder here are below it there, and what the program left below it there
  /// is below it here afterwards.
  virtual Result<ProcessResult> run(const ProcessSpec &spec, const Sandbox::View &view) = 0;
};

/// Makes `spec` start in an empty private folder, which lives as long as the spec.
Result<void> startInEmptyFolder(ProcessSpec &spec);

} // namespace agentic
