// What the built-in search's estimates promised, beside what was measured: `suite --explain`.
#pragma once

#include "tool/model/run_state.h"
#include "tool/model/suite.h"

#include <vector>

namespace agentic {

/// Returns a promise for each attempt of the built-in search, in order; what came is the ratio of rankedAttempts().
/// Empty if the kernel cannot be parsed. Cost: a parse for each rewriting step of the recipes.
std::vector<Promise> promisesOf(const RunState &state);

} // namespace agentic
