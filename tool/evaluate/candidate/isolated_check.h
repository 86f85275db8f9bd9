// The checks of a candidate in a process of their own, inside the sandbox: a text can make Clang slow, hungry or crash,
// and then it must be the text that is rejected, not the run that ends.
#pragma once

#include "ast-checks/checks.h"
#include "tool/base/error.h"
#include "tool/build/sandbox.h"

#include <atomic>
#include <string>
#include <string_view>

namespace agentic {

struct CheckProcess {
  std::string program; ///< absolute path of `agentic-kernel`, which answers "check-candidate"
  const Sandbox *sandbox = nullptr;
  std::string compiler; ///< the project's: the folders of its installation hold headers
  double cpuSeconds = 10;
  const std::atomic<bool> *cancelled = nullptr;
};

/// checks::runChecks(request) in a child; 40 ms more than here. A child that dies or exceeds its limits (CPU time, half
/// as much wall time more, 4 GiB) makes one finding of the check "compile-limits". Errors: the child could not be
/// started or did not understand; interrupted.
Result<checks::CheckOutcome> runChecksApart(const CheckProcess &process, const checks::CheckRequest &request);

/// The child's side: the answer to what runChecksApart wrote to its stdin. Bytes, not text.
std::string answerCheckRequest(std::string_view request);

} // namespace agentic
