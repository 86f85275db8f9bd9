// The text of the comparing programs: the part before the kernels, and the part that runs them.
#pragma once

#include <string>

namespace agentic::fuzz {

extern const std::string kProgramHead;
/// prepare(), compare(number, original, {{number, variant}…}, {largestTerm, relative, mayOverlap}) and finish().
extern const std::string kComparison;

} // namespace agentic::fuzz
