// Reads a run's folder for a report.
#pragma once

#include "tool/base/error.h"
#include "tool/report/run_report.h"

#include <string>

namespace agentic {

/// Reads a run, also an unfinished one. Errors: there is no journal, it is damaged (the message names the line) or of
/// another version. Cost: reads the journal, the calls and every candidate's text once: 10,000 attempts take about a
/// second.
Result<RunReport> readRunReport(const std::string &runDirectory);

} // namespace agentic
