// Runs the checks of a candidate in a process of their own, inside the sandbox: a text can make Clang slow, hungry or
// crash, and then the text must be rejected, not the run end.
#pragma once

#include "ast-checks/checks.h"
#include "tool/base/error.h"
#include "tool/build/sandbox.h"

#include <atomic>
#include <string>
#include <string_view>

namespace agentic {

/// The check of a finding that the child did not end in time, or not by itself.
inline constexpr const char *kCompileLimits = "compile-limits";

struct CheckProcess {
  std::string program; ///< absolute path of `agentic-kernel`, which answers "check-candidate"
  const Sandbox *sandbox = nullptr;
  std::string compiler; ///< the project's compiler: its installation holds headers
  double cpuSeconds = 10;
  const std::atomic<bool> *cancelled = nullptr;
};

/// Runs checks::runChecks(request) in a child; 40 ms more than in this process. A child that dies or exceeds its limits
/// (CPU time, half as much wall time more, 4 GiB) makes one finding of kCompileLimits. Errors: the child
/// could not be started or did not understand; interrupted.
Result<checks::CheckOutcome> runChecksApart(const CheckProcess &process, const checks::CheckRequest &request);

/// Runs in the child: answers the request that runChecksApart wrote to its stdin. Bytes, not text.
std::string answerCheckRequest(std::string_view request);

} // namespace agentic
