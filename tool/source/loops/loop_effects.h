// Finds the changes that one loop makes, and the expressions that mean the same before it as in each of its iterations.
#pragma once

#include "tool/source/loops/loop_nest.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace agentic::moves {

struct LoopEffects {
  std::string problem;                  ///< why its effects are unknown; empty if they are known
  std::set<VariableId> declared;        ///< in the loop, its own variable and those of inner loops included
  std::set<VariableId> assigned;        ///< declarations excepted
  std::vector<const Access *> accesses; ///< accesses of the body, headers of inner loops included
};

LoopEffects effectsOf(const Loop &loop);

/// Returns empty if `value`, with its accesses (those of `accesses` that lie in its range), gives the same in front of
/// `loop` as in each iteration, has no side effect and names nothing that only exists in the loop. It does not decide
/// whether the value may be evaluated there: it may trap or read memory that the loop would not.
std::string whyNotInvariant(const Nest &nest, const Expression &value, const std::vector<const Access *> &accesses,
                            const LoopEffects &effects);

/// Returns why a variable may be another one, or have another value, in some iteration; empty if it does not change.
std::string whyVariableChanges(const Nest &nest, VariableId id, const LoopEffects &effects);
/// Returns whether the loop may write what is read.
bool mayBeWritten(const Nest &nest, const Access &read, const LoopEffects &effects);

/// Returns whether accesses with these bases may touch the same memory.
bool mayBeSameArray(const Nest &nest, std::optional<VariableId> left, std::optional<VariableId> right);

} // namespace agentic::moves
