// Whether a build's flags allow timings that mean something.
#pragma once

#include "tool/model/compile_command.h"

#include <string>

namespace agentic {

/// Empty if the command optimises and instruments nothing; else the reason: "compiled without optimisation (build type
/// 'Debug')", "compiled with -fsanitize=address". Pure.
std::string unsuitableFlags(const CompileCommand &command, const std::string &buildType);

} // namespace agentic
