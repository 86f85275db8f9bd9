// The plan of split-scan for a loop with a running sum: split_scan_plan.cpp decides it, split_scan.cpp writes it.
#pragma once

#include "tool/source/moves/move.h"

#include <cstddef>
#include <string>

namespace agentic::moves {

struct Scan {
  VariableId sum{};
  std::string type;     ///< of a lane; integers: unsigned, whose sums wrap
  std::string declared; ///< type of the sum
  bool isInteger = false;
  unsigned bytes = 0;
  std::size_t update = 0;             ///< index in the loop's body
  const Expression *value = nullptr;  ///< what is added
  bool isNegated = false;             ///< it is subtracted
  const Expression *factor = nullptr; ///< `s = factor * s + value`; null: 1
  bool isBlend = false;               ///< `s += factor * (value - s)`
  bool needsDeclarations = false;     ///< something after the update uses declarations before it
  std::string problem;
};

Scan planScan(const MoveContext &context, const Loop &loop);

} // namespace agentic::moves
