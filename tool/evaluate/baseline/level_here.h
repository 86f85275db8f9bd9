// Decides whether this machine can run code of a level in a kernel's build, and how.
#pragma once

#include "tool/base/error.h"
#include "tool/build/host.h"
#include "tool/model/level.h"
#include "tool/model/manifest.h"

namespace agentic {

enum class LevelHere {
  No,
  Native,  ///< this CPU has it
  Emulated ///< the CPU that the kernel's RUNNER presents has it: tests run, and nothing is ever measured
};

/// Asks the CPU, then the CPU that RUNNER presents: the dispatcher's own probe, compiled by the project's compiler and
/// run under RUNNER. Error: the probe does not compile or does not run. Native costs nothing; else a compile, once per
/// compiler and level, and one run (20 ms).
Result<LevelHere> levelHere(const Level &level, const Manifest &manifest, const Cpu &cpu = hostCpu());

/// Like levelHere(level), for a level as a lock names it: No for a level that this tool does not know.
Result<LevelHere> levelHere(std::string_view level, const Manifest &manifest, const Cpu &cpu = hostCpu());

} // namespace agentic
