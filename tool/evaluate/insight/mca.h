// llvm-mca's estimate of a loop: what a model of the processor says of instructions that all hit the nearest cache.
#pragma once

#include "tool/evaluate/insight/hot_loop.h"

#include <string>
#include <string_view>

namespace agentic {

/// The processor that stands for a level ("haswell" for x86-64-v3); empty: there is none that this tool knows.
std::string mcaProcessor(std::string_view level);

/// The loop as an assembler reads it, calls and jumps out of it left out. Pure.
std::string mcaInput(const HotLoop &loop);

/// What of its answer is shown: the totals per 100 passes, and the bottlenecks. Pure.
std::string mcaSummary(std::string_view output);

struct McaEstimate {
  std::string text;   ///< empty: there is none
  std::string reason; ///< then: why not
};

/// At most 10 s. `program`: instead of the one that PATH finds.
McaEstimate estimate(const HotLoop &loop, std::string_view level, const std::string &program = {});

} // namespace agentic
