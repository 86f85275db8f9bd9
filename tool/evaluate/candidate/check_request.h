// The facts about a kernel for the checks; the same for baseline and candidates.
#pragma once

#include "tool/model/kernel_spec.h"

#include <string>
#include <vector>

namespace agentic {

/// Returns the qualified names of the functions that a candidate may call because the baseline's closure has or calls
/// them.
std::vector<std::string> allowedFunctions(const KernelSpec &spec);

} // namespace agentic
