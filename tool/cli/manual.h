// The manual page, made from the command table (command_help.h). Pure.
#pragma once

#include "tool/cli/command_help.h"

#include <string>
#include <vector>

namespace agentic {

/// Returns agentic-kernel(1) in man's macros. An option of several commands is described once.
std::string manualPage(const std::vector<CommandDoc> &commands, const std::string &version);

} // namespace agentic
