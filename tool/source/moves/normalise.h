// The parts of normalise: normalise_count.cpp and normalise_constant.cpp decide how often a loop runs,
// normalise_write.cpp writes the new text.
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
/// Returns the number of rounds of `for (i = 1; i < 9; ++i)`, and of `for (i = y - 1; i <= y + 1; ++i)` in a loop over
/// y from 1 on; 0 of any other loop. For walks that are not counted.
std::int64_t constantRounds(const Walk &walk, const Nest &nest);
/// Returns "y - 1", where such a window begins; empty of any other loop.
std::string windowStart(const Walk &walk, const Nest &nest);

/// Returns why `walk` cannot be written as a counted loop, else empty; then `count` is filled.
std::string whyNotNormalise(const Walk &walk, const Nest &nest, RoundCount &count);
/// Returns the loop that the step names. Error if the variables of none of that name walk.
Result<const Walk *> targetWalk(const MoveContext &context, const MoveStep &step);
/// Returns whether the loop, or one around it, is one that a move wrote.
bool isInBlocks(const Walk &walk, const Nest &nest);

/// Returns the edits that make a counted loop of `walk`.
std::vector<Edit> writeCounted(const Walk &walk, const RoundCount &count, const Nest &nest);

} // namespace agentic::moves
