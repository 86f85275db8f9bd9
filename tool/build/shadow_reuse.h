// What one tree of a kernel has compiled already, for another tree of the same kernel. Used by shadow.cpp only.
#pragma once

#include "tool/base/error.h"

#include <string>

namespace agentic {

/// Copies what ninja built in `from` to `to`, which is configured and was never built, with its times and ninja's own
/// records of it. Ninja then decides as in any tree that it built before: what has the same command and no newer input
/// is up to date, everything else is built. Outputs are named relative to their tree, and a command that names its tree
/// is another command. Nothing is copied if `from` was never built. Cost: the bytes.
Result<void> reuseBuilt(const std::string &from, const std::string &to);

} // namespace agentic
