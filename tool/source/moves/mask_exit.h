// The plan of mask-exit for a loop around a loop that ends early: mask_exit_plan.cpp decides it, mask_exit_check.cpp
// checks it expression by expression, mask_exit_write.cpp writes it.
#pragma once

#include "tool/source/loops/loop_nest.h"
#include "tool/source/loops/writer.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace agentic::moves {

struct MaskPlan {
  const Nest &nest;
  const Loop &outer;
  const Statement *inner = nullptr;             ///< the loop that ends early
  std::vector<const Statement *> before, after; ///< around it, in the body of `outer`
  std::vector<VariableId> lanes = {};           ///< variables kept in an array, in the order of their declarations
  std::set<VariableId> own = {};                ///< declared in an iteration of `outer`, before the inner loop's body
  std::set<VariableId> changed = {};            ///< variables that the inner loop changes
  std::set<VariableId> usedInside = {}, usedAfter = {};
  bool isWide = false;      ///< 64-bit floating point inside: the masks are as wide
  std::string problem = {}; ///< why it is not legal; empty if it is

  const Variable &variable(VariableId id) const { return nest.variable(id); }
};

/// Returns the statement directly in `outer` that is a loop which ends early; null if there is not exactly one.
const Statement *exitingLoopOf(const Loop &outer);
MaskPlan planMaskExit(const Nest &nest, const Loop &outer);

/// Returns empty if finished lanes may evaluate `expression` as well (no trap, no overflow, no memory), else the
/// reason.
std::string whyNotSpeculative(const Nest &nest, const Expression &expression);
/// Fills changed, usedInside and problem.
void checkMaskedBody(MaskPlan &plan);

/// Returns the text that replaces `plan.outer`.
std::string writeMaskExit(const MaskPlan &plan, int lanes);

} // namespace agentic::moves
