// report --follow: the page of runs that go on, served until Ctrl-C or until a minute after the last of them has ended.
#pragma once

#include "tool/base/error.h"
#include "tool/cli/console.h"

#include <string>
#include <vector>

namespace agentic {

/// Prints the page's address on stdout. The page is made when a browser asks for it and the journals have grown: nobody
/// looking costs the run nothing. Errors: no port.
Result<void> followReport(Console &console, const std::vector<std::string> &runDirectories);

/// Whether the journal's last whole line says that the run has ended; reads no more than its last 64 KB.
bool hasEnded(const std::string &journal);

} // namespace agentic
