// Chooses the ISA level that candidates are made for.
#pragma once

#include "tool/base/error.h"
#include "tool/build/host.h"
#include "tool/model/compile_command.h"
#include "tool/model/level.h"
#include "tool/model/manifest.h"

#include <string>
#include <vector>

namespace agentic {

/// Returns `wanted`, else the best of the manifest's levels that can run here (level_here.h), else the highest that the
/// machine has completely; in a build for another processor the lowest level of that processor. Errors: an unknown
/// level, or one that cannot run here, with the missing features.
Result<const Level *> chosenLevel(const Manifest &manifest, const std::string &wanted, const Cpu &cpu = hostCpu());

/// Returns all levels to make variants for, lowest first: a winner on one is a starting point on the next. `wanted`
/// alone, or those of the manifest that can run here, or the default. `hosts`: CPUs of a farm, which stand in for what
/// this one lacks. Errors as above.
Result<std::vector<const Level *>> chosenLevels(const Manifest &manifest, const std::string &wanted,
                                                const Cpu &cpu = hostCpu(), const std::vector<Cpu> &hosts = {});

/// Returns the levels that are named, by the user or else in the manifest, and that this CPU lacks: an emulator may
/// present them, and never measures. Errors: levelHere()'s.
Result<std::vector<const Level *>> lackedLevels(const Manifest &manifest, const std::string &wanted,
                                                const Cpu &cpu = hostCpu());

/// Returns the CPU features that code for the level, and the project's programs themselves, may use. Options that
/// choose instructions by other means than a level of ours may choose all that `cpu` has, which compiles.
std::vector<std::string> programFeatures(const Level &level, const CompileCommand &command, const Cpu &cpu = hostCpu());

/// Refuses a level that the user named if it is below the project's own flags. A default level is as high as the
/// machine goes, and the variant is still compiled with the flags' features beyond it. Asks the compiler for its macros
/// (20 ms).
Result<void> refuseLowLevel(const Level &level, const CompileCommand &command, const Compiler &compiler);

} // namespace agentic
