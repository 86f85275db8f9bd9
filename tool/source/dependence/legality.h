// Decides whether the iterations of a loop may run in any order, or side by side.
//
// They may when no iteration sees a value that another one writes: assigned scalars belong to one iteration, and each
// iteration touches elements of its own in every written array. Pointer parameters are taken to be disjoint (design
// §9). Whatever is not proved is refused, with the reason.
#pragma once

#include "tool/source/loops/loop_nest.h"

#include <string>

namespace agentic::moves {

/// Returns empty if the iterations are independent, else the reason why that is not known: "'sum' carries a value from
/// one iteration of 'p' to the next". `except` (may be null): a statement of the loop that the caller checks.
std::string whyNotParallel(const Nest &nest, const Loop &loop, const Statement *except = nullptr);

/// Returns the arrays that the loop writes, for the comment that says why a move is legal.
std::vector<std::string> writtenArrays(const Nest &nest, const Loop &loop);

} // namespace agentic::moves
