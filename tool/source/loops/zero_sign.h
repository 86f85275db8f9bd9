// Which values of floating point are never -0: where only such values are compared, no order of comparisons shows.
#pragma once

#include "tool/source/loops/loop_nest.h"

namespace agentic::moves {

/// Returns whether `value` is never -0, whatever is NaN or infinite in it, with products fused into sums or not.
bool isNeverMinusZero(const Nest &nest, const Expression &value);

} // namespace agentic::moves
