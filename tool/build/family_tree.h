// Configures the project with the other compiler family, for FAMILIES, in a build tree of its own below the user's.
#pragma once

#include "tool/base/error.h"
#include "tool/model/compile_command.h"
#include "tool/model/manifest.h"

#include <atomic>
#include <vector>

namespace agentic {

/// Returns the families that a kernel is tuned for, the family of the project's compiler first: `wanted` if it is not
/// empty, else FAMILIES, else the family of the project's compiler alone.
Result<std::vector<Family>> chosenFamilies(const Manifest &manifest, const std::string &wanted);

/// Returns the kernel's manifest in a tree that `family` compiles: the user's own, or a tree configured with the user's
/// settings and another compiler in <build>/_agentic/families/<family>. Both write to the same VARIANT_DIR. The
/// compiler is AGENTIC_KERNEL_CLANG or _GCC of the project's cache, else the newest in PATH. Errors: no compiler is
/// found; the project chooses its compiler itself (a toolchain file); it does not configure with the other compiler.
/// Cost: a configure.
Result<Manifest> manifestForFamily(const Manifest &manifest, Family family, const std::atomic<bool> *cancelled);

} // namespace agentic
