// The settings of a run as a report shows them. Pure.
#pragma once

#include "tool/model/run_config.h"

#include <string>
#include <utility>
#include <vector>

namespace agentic {

/// Returns an agent's journaled name fit for display: a command without the parts of its arguments that may be secret.
std::string shownAgent(const std::string &name);
std::vector<std::string> shownAgents(const RunConfig &config);

/// Returns the part of the command's budget that earlier runs left to this one.
double leftBudget(const ModelConfig &model);

/// Returns titles and values, in order.
std::vector<std::pair<std::string, std::string>> shownConfiguration(const RunConfig &config);

} // namespace agentic
