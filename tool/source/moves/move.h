// The table of moves. Adding one = one file that defines its Move + one row in moves.cpp.
#pragma once

#include "tool/source/moves/loop_nest.h"
#include "tool/source/moves/schedule.h"
#include "tool/source/transform.h"

#include <span>
#include <string_view>

namespace agentic::moves {

struct MoveContext {
  const Nest &nest;
  const std::string &function; ///< the kernel's identifier
  bool forGcc;
};

struct MoveOffers {
  std::vector<MoveOffer> &offers;
  std::vector<MoveRefusal> &refusals;
};

struct Move {
  std::string_view name;
  /// What is legal and useful after the steps already in `schedule`.
  void (*offer)(const MoveContext &context, const Schedule &schedule, MoveOffers &result);
  /// Adds the step to the schedule. Error if it is not legal there.
  Result<void> (*apply)(const MoveContext &context, const MoveStep &step, Schedule &schedule);
};

std::span<const Move> allMoves();

extern const Move kStripMine, kUnrollAndJam, kFission, kLoopPragma, kVectorWidth;

// Shared by the moves.
Result<const Loop *> targetLoop(const MoveContext &context, const MoveStep &step);
Result<int> parameterOf(const MoveStep &step, const std::string &name, int lowest, int highest, int fallback = -1);
std::unexpected<Error> illegalStep(const MoveStep &step, const std::string &reason);
/// Empty if the tile that `block` makes with the blocks it is nested with stays of a useful size.
std::string whyTooLarge(const Schedule &schedule, const Block &block);
Result<void> addBlock(const MoveContext &context, const MoveStep &step, Schedule &schedule,
                      const std::string &parameter, Block::Role role);

} // namespace agentic::moves
