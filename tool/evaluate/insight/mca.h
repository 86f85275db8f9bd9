// llvm-mca's estimate of a loop, from a model of the processor in which all accesses hit the nearest cache.
#pragma once

#include "tool/evaluate/insight/hot_loop.h"

#include <string>
#include <string_view>

namespace agentic {

/// Returns llvm-mca's processor for a level ("haswell" for x86-64-v3); empty if this tool knows none.
std::string mcaProcessor(std::string_view level);

/// Returns the loop as input for an assembler, without calls and jumps out of it. Pure.
std::string mcaInput(const HotLoop &loop);

/// Returns the part of the output that is shown: the totals per 100 passes, and the bottlenecks. Pure.
std::string mcaSummary(std::string_view output);

struct McaEstimate {
  std::string text;   ///< empty: there is no estimate
  std::string reason; ///< why there is none
};

/// Takes at most 10 s. `program`: used instead of the one in PATH.
McaEstimate estimate(const HotLoop &loop, std::string_view level, const std::string &program = {});

} // namespace agentic
