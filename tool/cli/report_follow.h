// report --follow: the page of runs in progress, served until Ctrl-C or until a minute after no process works on any.
#pragma once

#include "tool/base/error.h"
#include "tool/cli/console.h"

#include <string>
#include <vector>

namespace agentic {

/// Prints the page's address on stdout. The page is made when a browser requests it and the journals have grown:
/// without a viewer it costs the run nothing. Errors: no port; a run that cannot be read.
Result<void> followReport(Console &console, const std::vector<std::string> &runDirectories);

} // namespace agentic
