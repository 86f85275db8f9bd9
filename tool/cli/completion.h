// Completions of shells, made of the command table (command_help.h). Pure.
#pragma once

#include "tool/cli/command_help.h"

#include <string>
#include <vector>

namespace agentic {

std::string bashCompletion(const std::vector<CommandDoc> &commands);
std::string zshCompletion(const std::vector<CommandDoc> &commands);
std::string fishCompletion(const std::vector<CommandDoc> &commands);

} // namespace agentic
