// Applies the moves to one random kernel.
#pragma once

#include "tests/source/fuzz/fuzz_program.h"

#include <map>
#include <string>
#include <vector>

namespace agentic::fuzz {

/// Returns the kernel of a number: families take turns.
Kernel kernelOf(unsigned seed);

struct Harvest {
  Subject subject;                   ///< with all variants that were made
  std::vector<std::string> problems; ///< a text that does not parse, a best guess that does not apply
  int refused = 0;                   ///< combinations of parameters that their move refuses
};

/// Applies every offer with its best guess or random parameters, and random recipes of 2 to 4 steps. Thread-safe.
Harvest harvest(unsigned seed);

/// Returns whether some step changes the text's operations: not only hints for the compiler.
bool isRewriting(const Recipe &recipe);

/// Keeps `most` variants, those of moves that `counts` has fewest of; counts them.
void keepRarest(Subject &subject, std::size_t most, std::map<std::string, int> &counts);

} // namespace agentic::fuzz
