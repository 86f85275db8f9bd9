// How threads call a kernel, as the last preparation saw it: kept for commands that prepare nothing.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/baseline/preparation.h"

#include <optional>

namespace agentic {

/// Keeps what `prepared.spec` says beside the specification.
Result<void> keepCallers(const Prepared &prepared);
/// Returns what was kept; nullopt if the kernel, its flags or this tool changed since then. Changes of tests and
/// benchmarks do not show.
std::optional<CallingThreads> lastCallers(const Manifest &manifest);

} // namespace agentic
