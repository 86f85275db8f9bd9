// Finds loops that count the set bits of a number, for bit-count (bit_count_loops.cpp).
#pragma once

#include "tool/source/loops/loop_nest.h"

#include <string>
#include <vector>

namespace agentic::moves {

/// One loop that counts bits.
struct BitLoop {
  Range range;
  const Expression *bits = nullptr; ///< the number whose bits are counted
  const Expression *count = nullptr;
  bool isNegated = false;                 ///< counted downwards
  const Statement *start = nullptr;       ///< the declaration or assignment in front of a `for`
  const Statement *declaration = nullptr; ///< declaration of the counted variable, in the same block
  std::string problem;                    ///< why it is not legal; empty if it is
};

/// Returns all of them, legal to replace or not.
std::vector<BitLoop> bitLoopsOf(const Nest &nest);

} // namespace agentic::moves
