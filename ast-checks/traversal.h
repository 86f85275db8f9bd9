// Walks the AST of own text, instantiations and compiler-made code included, and shows it to the checks.
#pragma once

#include "ast-checks/parse.h"

namespace agentic::checks {

/// Visits every top-level declaration of the unit that touches own text, with the templates' instantiations.
void traverseOwnText(const CheckList &checks, Context &context);

} // namespace agentic::checks
