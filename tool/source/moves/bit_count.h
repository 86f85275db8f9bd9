// Loops that count the set bits of a number, for bit-count: found in bit_count_loops.cpp.
#pragma once

#include "tool/source/loops/loop_nest.h"

#include <string>
#include <vector>

namespace agentic::moves {

/// One loop that counts bits.
struct BitLoop {
  Range range;
  const Expression *bits = nullptr; ///< whose bits are counted
  const Expression *count = nullptr;
  bool isNegated = false;                 ///< counted downwards
  const Statement *start = nullptr;       ///< of a `for`: the declaration or assignment in front
  const Statement *declaration = nullptr; ///< of the counted variable, in the same block
  std::string problem;                    ///< why it is not legal; empty if it is
};

/// All of them, legal to replace or not.
std::vector<BitLoop> bitLoopsOf(const Nest &nest);

} // namespace agentic::moves
