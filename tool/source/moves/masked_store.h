// The plan of masked-store for the body of a loop (masked_store_plan.cpp).
#pragma once

#include "tool/source/loops/loop_nest.h"

#include <map>
#include <string>
#include <vector>

namespace agentic::moves {

/// What decides about a block, and how large it gets.
struct MaskedBody {
  std::string problem;            ///< why it is not legal, or not worth it; empty if it is
  std::vector<VariableId> locals; ///< in order of their declaration; each gets an array
  std::size_t masks = 0, parts = 0;
  unsigned bits = 0;     ///< of the widest element that a condition decides about
  bool isUseful = false; ///< a condition decides what is stored, or a `switch` what is computed
  struct Element {
    std::string type;
    std::vector<Range> uses;
  };
  std::map<VariableId, Element> elements; ///< by array: one that every iteration writes, and the only one of its array

  std::size_t bytes(int lanes) const {
    return (masks + locals.size() + elements.size()) * 8 * static_cast<std::size_t>(lanes);
  }
};

MaskedBody planMaskedStore(const Nest &nest, const Loop &loop);

} // namespace agentic::moves
