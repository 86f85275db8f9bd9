// Says what keeps a kernel from being faster, from what its object code, llvm-mca and the roofline show, and what that
// asks for. Guesses, for people: they name their ground. Pure.
#pragma once

#include "tool/evaluate/insight/classification.h"
#include "tool/evaluate/insight/instruction_mix.h"

#include <string>
#include <string_view>
#include <vector>

namespace agentic {

struct LimitFacts {
  InstructionMix mix;             ///< of the hot loop; no instructions: there is no loop
  std::string_view mca;           ///< mcaSummary's text; empty = none
  Classification classification;  ///< unknown without a roofline
  std::string notVectorized = {}; ///< the compiler's first reason; empty = none
};

/// Returns sentences, the most certain limit first; empty = nothing is known.
std::vector<std::string> limitsOf(const LimitFacts &facts);

/// Returns the same as words of boundWords(), the most certain limit first.
std::vector<std::string> boundsOf(const LimitFacts &facts);

/// Returns llvm-mca's percentage on the line "Data Dependencies:" or "Resource Pressure"; 0 = there is none.
double mcaPercent(std::string_view mca, std::string_view bottleneck);

} // namespace agentic
