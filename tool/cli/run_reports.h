// A run's folder → what a report shows of it.
#pragma once

#include "tool/base/error.h"
#include "tool/report/run_report.h"

#include <string>

namespace agentic {

/// Of an unfinished run, too. Errors: there is no journal, it is damaged (the message names the line) or of another
/// version. Cost: reads the journal, the calls and every candidate's text once: 10,000 attempts take about a second.
Result<RunReport> readRunReport(const std::string &runDirectory);

/// The given folder, else the newest run of the build tree (of a kernel, if one is given). Errors: there is none.
Result<std::string> chosenRun(const std::string &given, const std::string &buildDir, const std::string &kernel);

} // namespace agentic
