// The plan of block-search for a loop whose every effect is behind a condition: block_search_plan.cpp decides it,
// block_search.cpp writes it. list_hits.cpp uses both, too.
#pragma once

#include "tool/source/moves/move.h"
#include "tool/source/schedule/block_cut.h"

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

/// Elements that a question reads, and of which nothing proves that they are there: blocks end with them.
struct Room {
  std::string place;  ///< that of the element of iteration 0 in its array, of type unsigned long long
  std::string extent; ///< how many elements the contract says that the array has, likewise
  bool operator==(const Room &) const = default;
};

struct SearchPlan {
  std::vector<Question> questions; ///< while none is answered with yes, an iteration does nothing
  std::vector<Room> rooms;
  bool leavesAtHit = true; ///< every `if` ends the loop; else its block is run as written, and the loop goes on
  unsigned bits = 8;       ///< width of the widest value that is compared
  std::string problem;     ///< why it is not legal; empty if it is
};

SearchPlan planBlockSearch(const MoveContext &context, const Loop &loop);

/// Lines that declare how many iterations have room, and their names, for cutLoop().
struct RoomText {
  std::string lines;
  std::vector<std::string> names;
};
RoomText roomText(const SearchPlan &plan, FreshNames &names);

/// Returns lines that answer the questions of the `lanes` iterations of a block, a multiple of 8 and at most 64, as the
/// bits of `mask`, which they declare. No question may stand in a loop.
std::string hitMaskText(const Nest &nest, const Loop &loop, const SearchPlan &plan, const BlockCut &cut, int lanes,
                        const std::string &lane, const std::string &mask, bool forGcc, FreshNames &names);

/// Returns the condition as a number that is 1 where it holds, and else 0: both sides of && and || may be evaluated,
/// and a compiler vectorizes what has no branches.
std::string questionText(const Nest &nest, const Expression &condition);

} // namespace agentic::moves
