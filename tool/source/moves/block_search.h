// The plan of block-search for a loop whose every effect is behind a condition: block_search_plan.cpp decides it,
// block_search.cpp writes it. list_hits.cpp uses it, too.
#pragma once

#include "tool/source/moves/move.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace agentic::moves {

/// A condition of an `if` of the loop, with what it is evaluated in.
struct Question {
  const Expression *condition = nullptr;
  std::vector<const Statement *> declarations; ///< those before it, whose values it may use
  std::vector<const Loop *> loops;             ///< those between the searched loop and it, outermost first
  /// Set if it stands behind an `else`, as do its declarations from this number on.
  std::optional<std::size_t> conditionalFrom;
};

struct SearchPlan {
  std::vector<Question> questions; ///< while none is answered with yes, an iteration does nothing
  bool leavesAtHit = true;         ///< every `if` ends the loop; else its block is run as written, and the loop goes on
  unsigned bits = 8;               ///< width of the widest value that is compared
  std::string problem;             ///< why it is not legal; empty if it is
};

SearchPlan planBlockSearch(const MoveContext &context, const Loop &loop);

/// Returns the condition as a number that is 1 where it holds, and else 0: both sides of && and || may be evaluated,
/// and a compiler vectorizes what has no branches.
std::string questionText(const Nest &nest, const Expression &condition);

} // namespace agentic::moves
