// Shows how a run's time divides into stages, as rows. Pure.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace agentic {

inline constexpr const char *kCallsOfModels = "calls of models";

/// Returns the stages in the order in which a run and a candidate go through them, with the calls of models, and the
/// rest of the whole as "other"; without stages that took no time. `noted`: seconds by the journal's names.
std::vector<std::pair<std::string, double>> orderedStages(const std::map<std::string, double> &noted,
                                                          double callSeconds, double wallSeconds);

} // namespace agentic
