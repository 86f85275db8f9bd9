// Estimates how long a nest runs, to decide what is worth measuring first.
//
// Counts operations per innermost loop, divided by the vector length where the compiler can be expected to vectorize
// (independent iterations or an integer reduction, no calls, unit strides), at least the latency of the values that one
// iteration passes to the next, and charges for local arrays that do not fit into the vector registers. It ranks; it
// never decides that a candidate is faster: only a measurement does.
#pragma once

#include "tool/source/loops/loop_nest.h"

#include <map>
#include <string>

namespace agentic::moves {

struct Machine {
  double vectorBytes = 16, vectorRegisters = 16;
  bool compilerSeesSigns = true; ///< Clang's: it uses vectors for roots that set no errno, because of what they are of
};
/// Returns the machine of a level: "x86-64-v4" has 32 registers of 64 bytes. Unknown levels: 16 of 16.
Machine machineOf(const std::string &level);

/// Returns rough cycles, with loops of unknown length running as often as `observed` says of the parameters they end
/// at, else 64 times. Some 20 µs.
double estimatedCycles(const Nest &nest, const Machine &machine,
                       const std::map<std::string, std::vector<std::int64_t>> &observed);

} // namespace agentic::moves
