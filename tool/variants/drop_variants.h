// Drops checked-in variants that are no longer wanted.
#pragma once

#include "tool/base/error.h"
#include "tool/model/manifest.h"

#include <string>
#include <vector>

namespace agentic {

struct DroppedVariants {
  std::vector<std::string> variants; ///< "x86-64-v4 clang", in the lock's order
  std::vector<std::string> files;    ///< paths that are removed
};

/// Removes the variants of `level` and `family`, where empty stands for all; removes the lock and the dispatcher with
/// the last of them. The remaining variants must be fresh, because they get a new lock. Errors: there is no such
/// variant; the rest is stale; the folder cannot be written.
Result<DroppedVariants> dropVariants(const Manifest &manifest, const std::string &level, const std::string &family);

} // namespace agentic
