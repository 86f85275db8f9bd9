// Recipes for several loops of a kernel out of recipes for one loop each: a kernel is only as fast as its slowest loop.
#pragma once

#include "tool/agent/strategy.h"
#include "tool/source/transform/transform.h"

#include <span>
#include <vector>

namespace agentic {

/// Returns recipes for the whole kernel that are not among `recipes`, fastest by estimate first: `form`, and each of
/// the first few recipes, with the steps of the others that are for other loops and improve the estimate; with blocks
/// of outer loops, and without; with all calls replaced that can be, which may gain only behind other steps. `form`: the
/// steps that bring loops into form, with which recipes may begin. Costs up to 100 estimates.
std::vector<Recipe> joinedByEstimate(Transformer &transformer, std::span<const Recipe> recipes, const Recipe &form);

/// Returns the recipe with the steps of others that gained in other loops, the largest gain first, at most three. They
/// need not be legal.
std::vector<Recipe> joinedByGain(const TriedRecipe &root, std::span<const TriedRecipe> tried, const Recipe &form);

} // namespace agentic
