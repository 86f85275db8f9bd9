// Formats a comparison of agents for people and programs. Pure.
#pragma once

#include "tool/run/compare_runs.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace agentic {

/// Returns the table, with a line for each failure and the folders of the runs; free of control characters. Ends with a
/// new line.
std::string compareText(const AgentComparison &comparison);
std::string compareMarkdown(const AgentComparison &comparison);
std::string compareCsv(const AgentComparison &comparison); ///< numbers bare, seconds and dollars
nlohmann::json compareJson(const AgentComparison &comparison);

} // namespace agentic
