// list-hits(i): the conditions of 64 iterations are answered at once, as a bit each, and then only the iterations with
// a bit are done, in their order.
//
//   for (i …)                            for (i0 …; i0 += 64) {
//     if (x[i] > 0)                        for (ii …) hits[ii] = x[i0 + ii] > 0;
//       out[n++] = x[i];          →        mask = the bits of hits;
//                                          for (; mask != 0; mask &= mask - 1) { i = i0 + lowest bit of mask; … as
//                                          written }
//                                        }
//
// A condition that holds now and then, as the data have it, is guessed wrong by a processor each time that it changes;
// the bits are walked without a guess for each iteration. Where hits are rare, block-search skips more.
//
// Legal if block-search is and nothing leaves the loop, and if no condition depends on what an iteration does: on a
// variable that the loop changes, or on memory that it writes. Then a condition that was answered with no for the whole
// block still is when its iteration's turn comes, and an iteration without one that holds does nothing.
#include "tool/base/text.h"
#include "tool/source/loops/loop_effects.h"
#include "tool/source/loops/loop_text.h"
#include "tool/source/moves/block_search.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>

namespace agentic::moves {
namespace {

constexpr int kLanes = 64; // bits of a mask

/// Returns which of what a value depends on the loop changes; empty if none.
std::string whyChanges(const Nest &nest, const LoopEffects &effects, const Expression &value) {
  std::string reason;
  forEachExpression(value, [&](const Expression &part) {
    if (part.kind != Expression::Kind::Variable || !reason.empty())
      return reason.empty();
    const Variable &variable = nest.variable(*part.variable);
    const bool isOwn = effects.declared.contains(*part.variable);
    if (isOwn ? variable.isMutated || variable.escapes : !whyVariableChanges(nest, *part.variable, effects).empty())
      reason = "a condition depends on '" + variable.name + "', which an iteration may change";
    return reason.empty();
  });
  for (const Access *read : effects.accesses)
    if (reason.empty() && value.range.contains(read->range) && mayBeWritten(nest, *read, effects))
      reason = "a condition reads '" + read->text + "', which an iteration may write";
  return reason;
}

std::string whyNotListHits(const MoveContext &context, const Loop &loop, const SearchPlan &plan) {
  if (!plan.problem.empty())
    return plan.problem;
  if (plan.leavesAtHit)
    return "a hit leaves it";
  const LoopEffects effects = effectsOf(loop);
  if (!effects.problem.empty())
    return effects.problem;
  for (const Question &question : plan.questions) {
    if (!question.loops.empty())
      return "a condition stands in a loop inside it";
    std::string reason = whyChanges(context.nest, effects, *question.condition);
    for (const Statement *declaration : question.declarations)
      if (reason.empty())
        reason = whyChanges(context.nest, effects, *declaration->value);
    if (!reason.empty())
      return reason;
  }
  return isRestOfBlocks(context.nest, loop) ? "it only does what blocks left over"
                                            : whyNotCut(context.nest, loop, kLanes);
}

void offerListHits(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    const SearchPlan plan = planBlockSearch(context, *loop);
    if (!plan.problem.empty() || plan.leavesAtHit)
      continue; // block-search says why
    result.add({"list-hits", loop->name, {}}, whyNotListHits(context, *loop, plan));
  }
}

std::string textOf(const MoveContext &context, const Loop &loop, const SearchPlan &plan) {
  const Nest &nest = context.nest;
  FreshNames names(nest.surroundings + nest.text);
  const RoomText room = roomText(plan, names);
  const BlockCut cut =
      cutLoop(nest, loop, kLanes, "kBlock", "iterations whose conditions are answered at once", names, {}, room.names);
  const std::string lane = laneName(nest, loop, names), mask = names.make("hitMask");
  return "{\n" + room.lines + cut.declarations + cut.blockHeader + " {\n" +
         hitMaskText(nest, loop, plan, cut, kLanes, lane, mask, context.forGcc, names) + "for (; " + mask + " != 0; " +
         mask + " &= " + mask + " - 1) {\nconst " + cut.type + " " + nest.variable(loop.variable).name + " = " +
         cut.start + " + " + castTo(cut.type, "__builtin_ctzll(" + mask + ")") + ";\n" +
         std::string(trim(nest.slice(bodyOf(nest, loop)))) + "\n}\n}\n" + cut.rest + "}";
}

Result<Rewrite> rewriteListHits(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const SearchPlan plan = planBlockSearch(context, *loop);
  if (const std::string reason = whyNotListHits(context, *loop, plan); !reason.empty())
    return illegalStep(step, reason);
  return Rewrite{{{loop->range, textOf(context, *loop, plan)}},
                 {"Of 64 iterations of '" + loop->name +
                  "' those are done, in their order, of which a condition holds: no iteration changes what another one "
                  "asks."}};
}

} // namespace

const Move kListHits = {"list-hits", offerListHits, nullptr, rewriteListHits};

} // namespace agentic::moves
