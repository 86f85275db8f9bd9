// What the built-in search's estimates promised, beside what was measured: `suite --explain`.
#pragma once

#include "tool/model/run_state.h"
#include "tool/model/suite.h"

#include <vector>

namespace agentic {

/// Returns a promise for each attempt of the built-in search, in order. `start`: the run's state before the first. A
/// candidate that was compared with the best before it only has that one's speedup times the ratio. Empty if the kernel
/// cannot be parsed. Cost: a parse for each rewriting step of the recipes.
std::vector<Promise> promisesOf(const RunState &start, const std::vector<Attempt> &attempts);

} // namespace agentic
