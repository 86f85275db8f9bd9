// The requests of a recipe's steps, and the lanes that each statement and variable then depends on.
//
// A blocked loop runs `size` neighbouring iterations ("lanes") side by side: the loops inside it go outside of the
// lanes.
#pragma once

#include "tool/source/loops/loop_nest.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace agentic::moves {

struct Block {
  enum class Role {
    Vector, ///< strip-mined: its lanes are the innermost loop, for the vectorizer
    Rows    ///< unrolled and jammed: its lanes share what the vector lanes load and decode
  };
  const Loop *loop = nullptr;
  int size = 0;
  Role role = Role::Vector;
};

/// Hints for a loop; 0 = none.
struct LoopHint {
  int width = 0, interleave = 0, unroll = 0;
  int ivdep = 0; ///< GCC: iterations are independent
};

struct Schedule {
  std::vector<Block> blocks;
  std::map<const Loop *, LoopHint> hints;
  bool fission = false;
  int vectorWidth = 0;

  bool isEmpty() const { return blocks.empty() && hints.empty() && !fission && vectorWidth == 0; }

  const Block *blockOf(const Loop &loop) const;
  /// Returns whether the loop or one inside it is blocked.
  bool touches(const Loop &loop) const;
  bool isBlockedInside(const Loop &loop) const; ///< a loop strictly inside it is blocked
};

/// A set of blocks, as bits by their index in the schedule.
using Lanes = std::uint32_t;

class LaneAnalysis {
public:
  LaneAnalysis(const Nest &nest, const Schedule &schedule);
  Lanes of(const Statement &statement) const;
  Lanes ofVariable(VariableId variable) const;
  Lanes ofBounds(const Loop &loop) const;
  /// Returns the block whose loop's variable this is; -1 if none.
  int blockOfVariable(VariableId variable) const;
  /// Returns whether the reference is like `j / 32` in a block of 16 that starts at a multiple of 16: the same in all
  /// lanes.
  bool isSameInAllLanes(const Reference &reference) const;

private:
  Lanes ofReferences(const std::vector<Reference> &references) const;
  const Schedule &schedule_;
  std::vector<Lanes> variables_;
};

/// Returns empty if `loop` may be blocked in addition to `schedule`'s blocks, else the reason. A block needs
/// independent iterations from 0, a loop inside to put outside of the lanes, and inner bounds that all lanes share.
std::string whyNotBlockable(const Nest &nest, const Schedule &schedule, const Block &block);

} // namespace agentic::moves
