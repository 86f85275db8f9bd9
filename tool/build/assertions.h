// Whether assert() does anything in a program: a Release build takes it out.
#pragma once

#include "tool/model/compile_command.h"

#include <string>

namespace agentic {

/// Returns whether the command line defines NDEBUG.
bool definesNdebug(const CompileCommand &command);

/// Returns whether the program refers to the function that a failed assert() calls; also if it cannot be read as ELF.
/// Cost: reads the file.
bool holdsAssertions(const std::string &program);

} // namespace agentic
