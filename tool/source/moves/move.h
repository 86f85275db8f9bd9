// The table of moves. Adding one = one file that defines its Move, its `extern` below, one row in moves.cpp.
//
// There are two kinds. A schedule move requests work that the generator does for all moves of this kind at once
// (blocks, hints). A rewrite edits the text; the result is parsed again, so that the next step, another rewrite or a
// block, starts from the actual text. A rewrite after schedule moves starts from their generated text.
#pragma once

#include "tool/model/contract.h"
#include "tool/source/loops/loop_nest.h"
#include "tool/source/loops/writer.h"
#include "tool/source/moves/recipe.h"
#include "tool/source/schedule/schedule.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agentic::moves {

struct MoveContext {
  const Nest &nest;
  const std::string &function; ///< the kernel's identifier
  bool forGcc;
  bool mayReassociate = false; ///< floating-point operations may be done in another order (model/kernel_spec.h)
  bool hasTolerance = false;   ///< results may differ by more than order: library functions may be approximated
  std::string level = {};      ///< "x86-64-v4"; empty if unknown
  /// Values that integer parameters had in the project's benchmarks; empty if unknown. Hints, never facts.
  std::map<std::string, std::vector<std::int64_t>> observed = {};
  const Contract *contract = nullptr; ///< declarations of the kernel's author; null: none
};

struct Rewrite {
  std::vector<Edit> edits;      ///< on nest.text, disjoint, in any order; layout does not matter
  std::vector<std::string> why; ///< comment lines for the reader of the result: the difference and why it is legal
  std::vector<AliasPair> disjoint = {}; ///< parameters that the result's guards keep from overlapping
};

struct MoveOffers {
  std::vector<MoveOffer> &offers;
  std::vector<MoveRefusal> &refusals;

  /// Adds the offer, or a refusal of it where `problem` says why the step is not legal or useful.
  void add(MoveOffer offer, std::string problem);
};

struct Move {
  std::string_view name;
  /// Offers the legal and useful steps after the steps already in `schedule` (always empty for a rewrite).
  void (*offer)(const MoveContext &context, const Schedule &schedule, MoveOffers &result);
  /// For schedule moves: adds the step to the schedule. Error if it is not legal there. Null for a rewrite.
  Result<void> (*apply)(const MoveContext &context, const MoveStep &step, Schedule &schedule) = nullptr;
  /// For rewrites: returns the edits. Error if the step is not legal. It must check its precondition itself: a recipe
  /// may come from a file. Null for a schedule move.
  Result<Rewrite> (*rewrite)(const MoveContext &context, const MoveStep &step) = nullptr;
  MoveRole role = MoveRole::Gain;
  /// It writes what C cannot say (a table that the compiler computes); everything else is spelt in C afterwards
  /// (transform/spelled_in_c.h).
  bool needsCxx = false;
};

std::span<const Move> allMoves();

extern const Move kInlineCall, kReroll, kNormalise, kUnflatten, kContinueToElse, kCarry;
extern const Move kRestrict, kHoist, kPromote, kSpecialise, kPrefetch;
extern const Move kMaskExit, kMaskedStore, kBlockSearch, kListHits, kCompact, kSplitRange, kIfConvert, kBitCount,
    kInlineMath;
extern const Move kShiftAutomaton, kSortNetwork, kSliceTable, kByteLanes;
extern const Move kInterchange, kFusion, kReorder, kDistribute, kTranspose, kGuardAliasing;
extern const Move kSplitReduction, kSplitScan, kCoupledSums, kPrivatize, kPeel;
extern const Move kStripMine, kUnrollAndJam, kFission, kOverlapTail, kLoopPragma, kVectorWidth;

// Shared by the moves.
/// Returns whether the contract says that this parameter may overlap another one.
bool isDeclaredAlias(const MoveContext &context, std::string_view parameter);
Result<const Loop *> targetLoop(const MoveContext &context, const MoveStep &step);
Result<int> parameterOf(const MoveStep &step, const std::string &name, int lowest, int highest, int fallback = -1);
std::unexpected<Error> illegalStep(const MoveStep &step, const std::string &reason);
/// Returns empty if the tile of `block` with the blocks around and inside it keeps a useful size, else the reason.
std::string whyTooLarge(const Schedule &schedule, const Block &block);
Result<void> addBlock(const MoveContext &context, const MoveStep &step, Schedule &schedule,
                      const std::string &parameter, Block::Role role);

} // namespace agentic::moves
