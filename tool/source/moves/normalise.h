// The parts of normalise: normalise_count.cpp decides how often a loop runs, normalise_write.cpp writes the new text.
// reroll.cpp uses both.
#pragma once

#include "tool/source/loops/loop_nest.h"
#include "tool/source/loops/writer.h"
#include "tool/source/moves/move.h"

#include <string>
#include <vector>

namespace agentic::moves {

/// How often a loop runs.
struct RoundCount {
  std::string type;    ///< of the counter
  std::string text;    ///< an expression of that type, or one that converts to it unchanged
  std::string problem; ///< why it cannot be told; empty if it can
  bool isWide = false; ///< the type has 64 bits
  bool isSigned = false;
  /// The walked variable of the test takes its values without wrapping around, and steps by this much in a round.
  bool isExact = false;
};
RoundCount countRounds(const Walk &walk, const Nest &nest);

/// Returns why `walk` cannot be written as a counted loop, else empty; then `count` is filled.
std::string whyNotNormalise(const Walk &walk, const Nest &nest, RoundCount &count);
/// Returns the loop that the step names. Error if the variables of none of that name walk.
Result<const Walk *> targetWalk(const MoveContext &context, const MoveStep &step);
/// Returns whether the loop, or one around it, is one that a move wrote.
bool isInBlocks(const Walk &walk, const Nest &nest);

/// Returns the edits that make a counted loop of `walk`.
std::vector<Edit> writeCounted(const Walk &walk, const RoundCount &count, const Nest &nest);

} // namespace agentic::moves
