// What split-range knows of the conditions inside a loop: decided in split_range_facts.cpp, written out in
// split_range.cpp.
#pragma once

#include "tool/source/loops/loop_nest.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace agentic::moves {

struct SplitRange {
  const Nest &nest;
  const Loop &loop;
  std::int64_t first = 0; ///< where the interior begins
  /// The interior ends in front of every one of these: `value + offset`, offset <= 0; `value` < 0: a constant.
  struct End {
    VariableId value = -1;
    std::int64_t offset = 0;
    bool operator==(const End &) const = default;
  };
  std::vector<End> ends = {};
  std::set<const Expression *> holds = {}, fails = {}; ///< comparisons that are true, that are false in the interior
  std::string problem = {};                            ///< empty if there is something to gain, and legal
};

/// The bound is `K < 1 ? K : 1`, as of the iterations that were split off: nothing to gain.
bool isShort(const Nest &nest, const Loop &loop);
SplitRange planSplitRange(const Nest &nest, const Loop &loop);

/// What a condition is in the interior.
struct Simplified {
  std::optional<bool> constant;
  bool isChanged = false;
};
Simplified simplified(const SplitRange &plan, const Expression &condition);

/// Calls `visit` for every statement in `statements`, loops, branches and what is inside them included.
void forEachInside(const std::vector<Statement> &statements, const std::function<void(const Statement &)> &visit);
/// Calls `visit` for every expression of one statement: its own, a declaration's value, a condition.
void forEachRoot(const Statement &statement, const std::function<void(const Expression &)> &visit);

} // namespace agentic::moves
