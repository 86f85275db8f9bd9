// What a run was asked for, as a report shows it. Pure.
#pragma once

#include "tool/search/journal.h"

#include <string>
#include <utility>
#include <vector>

namespace agentic {

/// An agent's name as the journal has it, fit to be shown: of a command without what may be secret in its arguments.
std::string shownAgent(const std::string &name);

/// Titles and values, in order.
std::vector<std::pair<std::string, std::string>> shownConfiguration(const RunConfig &config);

/// The command that makes such a run again, quoted for a shell. `directory`: the run's, below its build tree.
std::string commandAgain(const RunRecord &record, const std::string &directory);

} // namespace agentic
