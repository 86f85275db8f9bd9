// The plan of split-range for the conditions inside a loop: split_range_facts.cpp decides it, split_range.cpp writes
// it.
#pragma once

#include "tool/source/loops/loop_nest.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace agentic::moves {

/// What is known of the body's comparisons in some of the iterations.
struct Known {
  std::set<const Expression *> holds = {}, fails = {};
  void add(const Expression &comparison, bool value) { (value ? holds : fails).insert(&comparison); }
};

struct SplitRange {
  const Nest &nest;
  const Loop &loop;
  std::int64_t first = 0; ///< first iteration of the interior
  /// Not all of the body is understood: the interior keeps its text, and the loop's variable its values.
  bool isKept = false;
  /// A limit of the interior, which ends in front of every one of them: `value + offset`, offset <= 0; without a
  /// value: a constant.
  struct End {
    std::optional<VariableId> value;
    std::int64_t offset = 0;
    bool operator==(const End &) const = default;
  };
  std::vector<End> ends = {};
  Known head = {}, interior = {}, tail = {};
  std::string problem = {}; ///< empty if the move gains something and is legal
};

SplitRange planSplitRange(const Nest &nest, const Loop &loop);

/// The value of a condition in these iterations.
struct Simplified {
  std::optional<bool> constant;
  bool isChanged = false;
};
Simplified simplified(const Known &known, const Expression &condition);

} // namespace agentic::moves
