// The project configured with the other compiler family, for FAMILIES: a build tree of its own below the user's.
#pragma once

#include "tool/base/error.h"
#include "tool/model/compile_command.h"
#include "tool/model/manifest.h"

#include <atomic>
#include <vector>

namespace agentic {

/// The families a kernel is tuned for, that of the project's compiler first: `wanted` if it is not empty, else FAMILIES,
/// else that of the project's compiler alone.
Result<std::vector<Family>> chosenFamilies(const Manifest &manifest, const std::string &wanted);

/// The kernel's manifest in a tree that `family` compiles: the user's own, or one configured with the user's settings
/// and another compiler in <build>/_agentic/families/<family>. Both write to the same VARIANT_DIR. The compiler is
/// AGENTIC_KERNEL_CLANG or _GCC of the project's cache, else the newest in PATH. Errors: none is found; the project
/// chooses its compiler itself (a toolchain file); it does not configure with the other one. Cost: a configure.
Result<Manifest> manifestForFamily(const Manifest &manifest, Family family, const std::atomic<bool> *cancelled);

} // namespace agentic
