// Reuses the objects of one tree of a kernel in another tree of the same kernel. Used by shadow.cpp only.
#pragma once

#include "tool/base/error.h"

#include <string>

namespace agentic {

/// Copies ninja's build results in `from` to `to`, which is configured and was never built, with their times and
/// ninja's own records. Ninja then decides as in any tree that it built before: an output with the same command and no
/// newer input is up to date, everything else is built. Outputs are named relative to their tree; a command that names
/// its tree is another command. Copies nothing if `from` was never built. Cost: the bytes.
Result<void> reuseBuilt(const std::string &from, const std::string &to);

} // namespace agentic
