// What mask-exit knows of a loop around a loop that ends early: decided in mask_exit_plan.cpp, checked expression by
// expression in mask_exit_check.cpp, written out in mask_exit_write.cpp.
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
  std::vector<VariableId> lanes = {};           ///< kept in an array, in the order they are declared
  std::set<VariableId> own = {};     ///< declared in an iteration of `outer`, in front of the inner loop's body
  std::set<VariableId> changed = {}; ///< by the inner loop
  std::set<VariableId> usedInside = {}, usedAfter = {};
  bool isWide = false;      ///< 64-bit floating point inside: the masks are as wide
  std::string problem = {}; ///< why it is not legal; empty if it is

  const Variable &variable(VariableId id) const { return nest.variable(id); }
};

/// The statement directly in `outer` that is a loop which ends early; null if there is none, or not exactly one.
const Statement *exitingLoopOf(const Loop &outer);
MaskPlan planMaskExit(const Nest &nest, const Loop &outer);

/// Whether lanes that are done may evaluate `expression` as well: no trap, no overflow, no memory. Empty if so.
std::string whyNotSpeculative(const Nest &nest, const Expression &expression);
/// Fills changed, usedInside and problem.
void checkMaskedBody(MaskPlan &plan);

/// The text that takes the place of `plan.outer`.
std::string writeMaskExit(const MaskPlan &plan, int lanes);

} // namespace agentic::moves
