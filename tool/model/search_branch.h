// A part of a strategy's search that a person can follow by itself: a population, a parent of a beam.
#pragma once

#include <cstddef>
#include <string>

namespace agentic {

struct SearchBranch {
  std::string label;         ///< "island 2", "round 3, from 0f3a…"
  std::size_t questions = 0; ///< mended answers are no further ones
  std::size_t passed = 0;    ///< candidates that were measured, near copies left out
  double best = 0;           ///< the highest speedup of these over the baseline; 0: none
};

} // namespace agentic
