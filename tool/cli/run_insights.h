// Insights (evaluate/insight/insight.h) in a run: those it keeps, and those a model hears.
#pragma once

#include "tool/cli/console.h"
#include "tool/cli/optimize_run.h"
#include "tool/evaluate/insight/insight.h"

#include <optional>
#include <string>

namespace agentic {

/// nullopt: none is asked for, or the agent asks no model.
std::optional<InsightRequest> feedbackRequest(const RunConfig &config, const std::string &buildDir);

/// <run>/insights/baseline.json and <run>/insights/<id of the best>.json. What goes wrong is a warning: the run has its
/// result without them. Left out when the time is up.
void writeInsights(Console &console, Evaluator &evaluator, const OptimizedKernel &run, const std::string &buildDir);

} // namespace agentic
