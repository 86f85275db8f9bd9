#include "tool/source/moves/move.h"

#include <algorithm>
#include <array>

namespace agentic::moves {

std::span<const Move> allMoves() {
  static const std::array kMoves = {// the form that all others need
                                    kInlineCall, kReroll, kNormalise, kUnflatten, kContinueToElse, kCarry, kReorder,
                                    // neighbouring iterations side by side
                                    kStripMine, kUnrollAndJam, kFission, kOverlapTail,
                                    // the order of loops
                                    kInterchange, kFusion, kDistribute, kTranspose,
                                    // what one iteration hands to the next
                                    kSplitReduction, kSplitScan, kCoupledSums, kPrivatize, kPeel,
                                    // control flow
                                    kMaskExit, kMaskedStore, kBlockSearch, kListHits, kCompact, kSplitRange, kIfConvert,
                                    // memory
                                    kHoist, kPromote, kRestrict, kGuardAliasing, kPrefetch,
                                    // computations
                                    kBitCount, kInlineMath, kShiftAutomaton, kSortNetwork, kSliceTable, kByteLanes,
                                    // sizes, and hints for the compiler
                                    kSpecialise, kLoopPragma, kVectorWidth};
  return kMoves;
}

namespace {

bool isNested(const Loop &left, const Loop &right) {
  return left.range.contains(right.range) || right.range.contains(left.range);
}

} // namespace

void MoveOffers::add(MoveOffer offer, std::string problem) {
  if (problem.empty())
    offers.push_back(std::move(offer));
  else
    refusals.push_back({std::move(offer.move), std::move(offer.target), std::move(problem)});
}

std::string whyTooLarge(const Schedule &schedule, const Block &block) {
  constexpr int kLargestTile = 1024; // elements of an expanded scalar: larger ones exceed registers and L1
  constexpr int kDeepest = 3;        // every level doubles the text: full blocks and the rest
  int elements = block.size, depth = 1;
  for (const Block &other : schedule.blocks)
    if (isNested(*other.loop, *block.loop)) {
      elements *= other.size;
      ++depth;
    }
  if (block.size > block.loop->largest)
    return std::to_string(block.size) + " is more than the type of '" + block.loop->name + "' holds";
  if (const auto trips = constantTrips(*block.loop); trips && block.size > *trips)
    return "'" + block.loop->name + "' has only " + std::to_string(*trips) + " iterations";
  if (depth > kDeepest)
    return std::to_string(kDeepest) + " loops of the nest are blocked already";
  return elements > kLargestTile ? "the tile would have " + std::to_string(elements) + " elements" : "";
}

bool isDeclaredAlias(const MoveContext &context, std::string_view parameter) {
  return context.contract && std::ranges::any_of(context.contract->mayAlias, [&](const AliasPair &pair) {
           return pair.first == parameter || pair.second == parameter;
         });
}

std::unexpected<Error> illegalStep(const MoveStep &step, const std::string &reason) {
  return userError("the step '" + step.text() + "' does not apply: " + reason,
                   "leave it out, or see the run's journal for the moves that apply");
}

Result<const Loop *> targetLoop(const MoveContext &context, const MoveStep &step) {
  if (const Loop *loop = context.nest.find(step.target))
    return loop;
  return illegalStep(step, "there is no loop '" + step.target + "'");
}

Result<int> parameterOf(const MoveStep &step, const std::string &name, int lowest, int highest, int fallback) {
  const auto found = step.parameters.find(name);
  if (found == step.parameters.end() && fallback >= 0)
    return fallback;
  if (found == step.parameters.end() || found->second < lowest || found->second > highest)
    return illegalStep(step,
                       "'" + name + "' must be from " + std::to_string(lowest) + " to " + std::to_string(highest));
  return found->second;
}

Result<void> addBlock(const MoveContext &context, const MoveStep &step, Schedule &schedule,
                      const std::string &parameter, Block::Role role) {
  const auto loop = TRY(targetLoop(context, step));
  const auto size = TRY(parameterOf(step, parameter, 2, 256));
  const Block block{loop, size, role};
  if (const std::string reason = whyTooLarge(schedule, block); !reason.empty())
    return illegalStep(step, reason);
  if (const std::string reason = whyNotBlockable(context.nest, schedule, block); !reason.empty())
    return illegalStep(step, reason);
  schedule.blocks.push_back(block);
  return {};
}

} // namespace agentic::moves
