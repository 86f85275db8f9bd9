// Chooses the recorded run of a command.
#pragma once

#include "tool/base/error.h"

#include <string>

namespace agentic {

/// Returns the given folder, else the newest run of the build tree (of a kernel, if one is given). Errors: there is
/// none; the folder holds no run.
Result<std::string> chosenRun(const std::string &given, const std::string &buildDir, const std::string &kernel);

} // namespace agentic
