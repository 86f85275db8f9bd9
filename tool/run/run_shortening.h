// How the winner of a run is shortened and reviewed: with which time, and in whose style it is written.
#pragma once

#include "tool/run/run_budget.h"
#include "tool/search/shortening.h"

namespace agentic {

/// `evaluator`, `budget` and `journal` must outlive the result.
ShorteningSettings shorteningFor(const RunConfig &config, const Evaluator &evaluator, const RunBudget &budget,
                                 const Journal &journal);

} // namespace agentic
