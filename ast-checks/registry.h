// The table of checks. A new check is one row here, its .h and .cpp, its page and its test.
#pragma once

#include "ast-checks/check.h"
#include "ast-checks/checks.h"

#include <memory>
#include <vector>

namespace agentic::checks {

/// Makes the checks in the table's order, without those that `policy` allows; forbidden notes make findings.
std::vector<std::unique_ptr<Check>> makeChecks(const Policy &policy);

} // namespace agentic::checks
