// Which ISA level candidates are made for.
#pragma once

#include "tool/base/error.h"
#include "tool/model/compile_command.h"
#include "tool/model/level.h"
#include "tool/model/manifest.h"

#include <string>
#include <vector>

namespace agentic {

/// `wanted`, else the best of the manifest's levels that can run here (level_here.h), else the machine's; in a build
/// for another processor the lowest of that. Errors: an unknown level, or one that cannot run here.
Result<const Level *> chosenLevel(const Manifest &manifest, const std::string &wanted);

/// All to make variants for, lowest first: what wins on one is a starting point on the next. `wanted` alone, or the
/// manifest's that can run here, or the default. Errors as above.
Result<std::vector<const Level *>> chosenLevels(const Manifest &manifest, const std::string &wanted);

/// Refuses a level below what the project's own flags imply. Asks the compiler for its macros (20 ms).
Result<void> refuseLowLevel(const Level &level, const CompileCommand &command, const Compiler &compiler);

} // namespace agentic
