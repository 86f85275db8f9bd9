// A comparison of agents as people and programs read it. Pure.
#pragma once

#include "tool/run/compare_runs.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace agentic {

/// The table, with a line for what failed and where the runs are; free of control characters. Ends with a new line.
std::string compareText(const AgentComparison &comparison);
std::string compareMarkdown(const AgentComparison &comparison);
std::string compareCsv(const AgentComparison &comparison); ///< numbers bare, seconds and dollars
nlohmann::json compareJson(const AgentComparison &comparison);

} // namespace agentic
