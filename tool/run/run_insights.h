// Insights (evaluate/insight/insight.h) in a run: for its records and for a model.
#pragma once

#include "tool/evaluate/insight/insight.h"
#include "tool/run/optimize_run.h"

#include <optional>
#include <string>

namespace agentic {

/// Returns nullopt if none is asked for, or the agent asks no model.
std::optional<InsightRequest> feedbackRequest(const RunConfig &config, const std::string &rooflineFile);

/// Writes <run>/insights/baseline.json and <run>/insights/<id of the best>.json, and fills `run.limits`. A failure is a
/// warning: the run has its result without them. Left out when the time is up.
void writeInsights(Messages &messages, const Surroundings &surroundings, OptimizedKernel &run);

} // namespace agentic
