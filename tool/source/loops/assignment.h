// Writes the value that an assignment stores as text, for moves that store something else under a condition.
#pragma once

#include "tool/source/loops/loop_nest.h"

#include <string>

namespace agentic::moves {

/// Returns the value that `target op= value` stores, in the target's type and computed as there: "sum + (x * y)",
/// "static_cast<short>(n + (1))". `assignment` is a tree of kind Assign whose target is a scalar variable.
std::string assignedValue(const Nest &nest, const Expression &assignment);

} // namespace agentic::moves
