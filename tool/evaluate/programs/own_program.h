// Runs our own program inside the sandbox.
#pragma once

#include "tool/build/sandbox.h"

#include <string>

namespace agentic {

/// Shows `program` and the shared libraries that this process, which runs it too, has loaded from folders that the
/// sandbox does not show anyway.
void showProgram(const std::string &program, Sandbox::View &view);

} // namespace agentic
