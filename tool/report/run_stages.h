// Where a run's time went, as rows to be shown. Pure.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace agentic {

inline constexpr const char *kCallsOfModels = "calls of models";

/// `noted`: seconds by the names that the journal has for them. In the order in which a run and a candidate go through
/// them, with the calls of models, and what is left of the whole as "other"; nothing that took no time.
std::vector<std::pair<std::string, double>> orderedStages(const std::map<std::string, double> &noted,
                                                          double callSeconds, double wallSeconds);

} // namespace agentic
