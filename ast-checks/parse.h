// Parses a unit from memory and feeds the checks: tokens, pragmas, warnings, then the AST.
#pragma once

#include "ast-checks/check.h"
#include "ast-checks/checks.h"

#include <memory>
#include <vector>

namespace agentic::checks {

class Context;
using CheckList = std::vector<std::unique_ptr<Check>>;

/// Fills outcome.errors. The AST is shown to the checks only if there are none: after an error it has holes that look
/// like violations. Bodies of functions outside the unit are skipped, which saves most of the time of vector headers.
Result<void> parseUnit(const CheckRequest &request, const CheckList &checks, Context &context, CheckOutcome &outcome);

} // namespace agentic::checks
