// Estimates how long a nest runs, to decide what is worth measuring first.
//
// Counts operations per innermost loop, divided by the vector length where the compiler can be expected to vectorize
// (independent iterations or an integer reduction, no calls, unit strides), at least the latency of the values that one
// iteration passes to the next, and charges for local arrays that do not fit into the vector registers. It ranks; it
// never decides that a candidate is faster: only a measurement does.
#pragma once

#include "tool/source/schedule/work.h"

#include <map>
#include <string>

namespace agentic::moves {

/// Returns rough cycles, with loops of unknown length running as often as `observed` says of the parameters they end
/// at, else 64 times. Some 20 µs.
double estimatedCycles(const Nest &nest, const Machine &machine,
                       const std::map<std::string, std::vector<std::int64_t>> &observed);

} // namespace agentic::moves
