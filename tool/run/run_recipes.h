// The recipes of the built-in search that won in earlier runs, and the one that a run adds: a part of the memory
// (tool/memory), which runs without a model have, too.
#pragma once

#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/model/run_config.h"
#include "tool/run/messages.h"
#include "tool/run/surroundings.h"

#include <string>
#include <vector>

namespace agentic {

/// Returns those that won on kernels of this shape, the best first, at most four; none of a run without a memory. What
/// is in the way is one warning.
std::vector<std::string> recallRecipes(Messages &messages, const Surroundings &surroundings, const RunConfig &config,
                                       const Evaluator &evaluator);

/// Keeps what won. A run without a memory keeps nothing.
void rememberRecipe(Messages &messages, const Surroundings &surroundings, const RunConfig &config,
                    const Evaluator &evaluator, const std::string &recipe, double ratio);

} // namespace agentic
