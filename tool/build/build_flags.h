// Decides whether a build's flags allow meaningful timings.
#pragma once

#include "tool/model/compile_command.h"

#include <string>

namespace agentic {

/// Returns an empty string if the command optimises and instruments nothing; else the reason against it: "compiled
/// without optimisation (build type 'Debug')", "compiled with -fsanitize=address". Pure.
std::string unsuitableFlags(const CompileCommand &command, const std::string &buildType);

} // namespace agentic
