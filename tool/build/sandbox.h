// Where candidates are compiled and run: bubblewrap with namespaces, or rlimits alone where it does not work.
//
// The sandbox sees /usr, the toolchain, the project read-only (source and build tree) and one writable folder; no
// network, an empty environment but for what is passed, no other processes. Launch ~6 ms. Neither changes timings (<
// 0.7 %).
#pragma once

#include "tool/base/error.h"
#include "tool/base/process.h"

#include <string>
#include <vector>

namespace agentic {

class Sandbox {
public:
  enum class Strength { Bubblewrap, BubblewrapNoUserNamespace, RlimitsOnly };

  /// Probes what works here, by trying (5 ms; twice that where user namespaces are forbidden). Not cached: a sandbox
  /// that worked yesterday and fails today would look like a failing candidate.
  static Sandbox probe();
  static Sandbox none() { return Sandbox(Strength::RlimitsOnly, "no sandbox was asked for"); }

  Strength strength() const { return strength_; }
  /// Empty with bubblewrap of either kind; else one sentence with the reason and what to install or allow.
  std::string warning() const;

  struct View {
    std::vector<std::string> readOnly; ///< folders and files visible besides the system's
    std::vector<std::string> writable; ///< must exist
    bool allowThreads = true;          ///< false: no new threads or processes (single-threaded programs)
  };
  /// Runs `spec` inside. A program killed by a signal is Signalled, as without a sandbox; `cpuSeconds` covers the
  /// program and what it waited for. A failure of the sandbox itself is an Error. argv[0] must be visible inside.
  Result<ProcessResult> run(ProcessSpec spec, const View &view) const;

  /// `spec` rewritten to run inside; limits are added where `spec` has none, its environment starts empty but for PATH,
  /// HOME and LC_ALL. Use `run` unless the command is to be shown.
  Result<ProcessSpec> wrap(ProcessSpec spec, const View &view) const;

private:
  Sandbox(Strength strength, std::string reason) : strength_(strength), reason_(std::move(reason)) {}
  Strength strength_;
  std::string reason_;
};

} // namespace agentic
