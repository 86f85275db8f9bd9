// Programs that the user names: how their command line is read, and what they said when they failed.
#pragma once

#include "tool/base/files.h"
#include "tool/base/process.h"

#include <string>
#include <string_view>
#include <vector>

namespace agentic {

/// Splits a command line as a shell does, without expansion. The program and files that are named relative to
/// `startDirectory` become absolute, because the program may run in another folder. Empty: no program is named.
std::vector<std::string> userCommand(std::string_view line, const fs::path &startDirectory);

/// Returns ": " and the end of what a program wrote to standard error; empty if that is nothing.
std::string saidAtTheEnd(const ProcessResult &result);

} // namespace agentic
