// Where candidates are compiled and run: bubblewrap with namespaces, or rlimits alone where it does not work.
//
// The sandbox sees /usr, the toolchain, the project read-only (source and build tree) and one writable folder; no network,
// an empty environment but for what is passed, no other processes. Launch ~5 ms. Neither changes timings (< 0.7 %).
#pragma once

#include "tool/base/error.h"
#include "tool/base/process.h"

#include <string>
#include <vector>

namespace agentic {

class Sandbox {
public:
  enum class Strength { Bubblewrap, BubblewrapNoUserNamespace, RlimitsOnly };

  /// Probes what works here (cached by kernel and bwrap version below `cacheDir`).
  static Sandbox probe(const std::string &cacheDir);
  static Sandbox none() { return Sandbox(Strength::RlimitsOnly, {}); }

  Strength strength() const { return strength_; }
  /// Empty for the strongest; else one sentence with the reason and what to install or allow.
  std::string warning() const;

  struct View {
    std::vector<std::string> readOnly; ///< folders and files visible besides the system's
    std::vector<std::string> writable;
  };
  /// `spec` rewritten to run inside; limits are added where `spec` has none.
  ProcessSpec wrap(ProcessSpec spec, const View &view) const;

private:
  Sandbox(Strength strength, std::string reason) : strength_(strength), reason_(std::move(reason)) {}
  Strength strength_;
  std::string reason_;
};

} // namespace agentic
