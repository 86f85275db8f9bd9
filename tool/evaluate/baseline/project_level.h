// Which ISA level candidates are made for.
#pragma once

#include "tool/base/error.h"
#include "tool/build/host.h"
#include "tool/model/compile_command.h"
#include "tool/model/level.h"
#include "tool/model/manifest.h"

#include <string>
#include <vector>

namespace agentic {

/// `wanted`, else the best of the manifest's levels that can run here (level_here.h), else the highest that the machine
/// has completely; in a build for another processor the lowest of that. Errors: an unknown level, or one that cannot
/// run here, with what is missing.
Result<const Level *> chosenLevel(const Manifest &manifest, const std::string &wanted, const Cpu &cpu = hostCpu());

/// All to make variants for, lowest first: what wins on one is a starting point on the next. `wanted` alone, or the
/// manifest's that can run here, or the default. Errors as above.
Result<std::vector<const Level *>> chosenLevels(const Manifest &manifest, const std::string &wanted,
                                                const Cpu &cpu = hostCpu());

/// Refuses a level below what the project's own flags imply, for one that the user named. A default is as high as the
/// machine goes, and what the flags have beyond it the variant is compiled with all the same. Asks the compiler for its
/// macros (20 ms).
Result<void> refuseLowLevel(const Level &level, const CompileCommand &command, const Compiler &compiler);

} // namespace agentic
