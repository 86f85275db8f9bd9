// The text of the programs that compare: what stands in front of the kernels, and what runs them.
#pragma once

#include <string>

namespace agentic::fuzz {

extern const std::string kProgramHead;
/// prepare(), compare(number, original, {{number, variant}…}, {largestTerm, relative, mayOverlap}) and finish().
extern const std::string kComparison;

} // namespace agentic::fuzz
