// Which expressions may be evaluated where the kernel as written does not evaluate them: for a lane that is done, for
// an iteration behind the one that leaves the loop. Such an evaluation must not trap, overflow or read foreign memory.
#pragma once

#include "tool/source/loops/loop_nest.h"

#include <functional>
#include <string>

namespace agentic::moves {

/// Returns empty if `element` (an Element or a Field, with its subscript) may be read there, else the reason.
using WhyNotRead = std::function<std::string(const Expression &element)>;

/// Returns empty if `expression` may be evaluated although the original does not, else the reason. `where` completes
/// "could overflow …": "in a lane that is done". What elements are made of is the caller's to judge.
std::string whyNotSpeculative(const Nest &nest, const Expression &expression, const std::string &where,
                              const WhyNotRead &whyNotRead);

} // namespace agentic::moves
