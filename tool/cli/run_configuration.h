// What a run was asked for, as a report shows it. Pure.
#pragma once

#include "tool/model/run_config.h"

#include <string>
#include <utility>
#include <vector>

namespace agentic {

/// An agent's name as the journal has it, fit to be shown: of a command without what may be secret in its arguments.
std::string shownAgent(const std::string &name);
std::vector<std::string> shownAgents(const RunConfig &config);

/// Of the command's budget, what earlier runs of it had left to this one.
double leftBudget(const ModelConfig &model);

/// Titles and values, in order.
std::vector<std::pair<std::string, std::string>> shownConfiguration(const RunConfig &config);

} // namespace agentic
