// The plan of slice-table for a loop that folds bytes into a state (slice_table_plan.cpp).
#pragma once

#include "tool/source/loops/loop_nest.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace agentic::moves {

struct SlicePlan {
  VariableId state{};
  unsigned bits = 0;                 ///< of the state: 16 or 32
  const Expression *input = nullptr; ///< the byte of an iteration
  bool takesLowest = false; ///< a step takes the state's lowest byte and shifts right, else the highest and left
  std::vector<std::int64_t> images; ///< what each bit of a byte makes of a state of 0
  std::string problem;              ///< why it is not legal; empty if it is
};

/// Returns nullopt if the loop does not look as if it did that.
std::optional<SlicePlan> planSlices(const Nest &nest, const Loop &loop);

} // namespace agentic::moves
