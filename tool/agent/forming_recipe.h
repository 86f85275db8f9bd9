// The steps that bring a kernel's loops into the form that moves need, before anything is searched.
#pragma once

#include "tool/source/transform/transform.h"

namespace agentic {

/// Returns every move of the role Form that is possible, one after the other; empty if all loops have the form.
Recipe formingRecipe(Transformer &transformer);

/// Returns whether a recipe begins with the steps of `form`.
bool isFormed(const Recipe &recipe, const Recipe &form);

} // namespace agentic
