// loop-pragma(c, width=16, interleave=2, unroll=4): hints for the compiler on an innermost loop, or on the lanes of a
// blocked one.
//
//   for (c …) out[c] = in[c] * scale;
//     →
//   #pragma clang loop vectorize(enable) vectorize_width(16) interleave_count(2)
//   for (c …) out[c] = in[c] * scale;
//
// Precondition: none for `unroll`. `vectorize(enable)` allows Clang to reorder floating-point sums and to assume that
// nothing overlaps, and `#pragma GCC ivdep` (ivdep=1, GCC's only hint beside unroll) promises independence: these are
// offered for independent iterations only.
#include "tool/source/dependence/legality.h"
#include "tool/source/moves/move.h"

namespace agentic::moves {
namespace {

/// Returns why no hint would reach a loop that compilers look at.
std::string whyNotHinted(const Schedule &schedule, const Loop &loop) {
  if (loop.header.end == 0 || !loop.problem.empty())
    return loop.problem;
  if (schedule.hints.contains(&loop))
    return "the loop '" + loop.name + "' has hints already";
  if (containsLoop(loop) && !schedule.blockOf(loop))
    return "the loop '" + loop.name + "' is not an innermost one";
  return {};
}

void offerLoopPragma(const MoveContext &context, const Schedule &schedule, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    if (const std::string reason = whyNotHinted(schedule, *loop); !reason.empty()) {
      result.refusals.push_back({"loop-pragma", loop->name, reason});
      continue;
    }
    MoveOffer made{"loop-pragma", loop->name, {{"unroll", {4, 8, 2, 16}}}};
    const std::string reason = whyNotParallel(context.nest, *loop);
    if (context.forGcc && reason.empty())
      made.parameters = {{"ivdep", {1, 0}}, {"unroll", {0, 4, 8, 2, 16}}};
    else if (reason.empty())
      made.parameters = {{"interleave", {0, 4, 2, 8}}, {"unroll", {0, 2, 4, 8}}, {"width", {16, 8, 32, 4, 0}}};
    else
      result.refusals.push_back({"loop-pragma", loop->name, "all but unroll: " + reason});
    result.offers.push_back(std::move(made));
  }
}

Result<void> applyLoopPragma(const MoveContext &context, const MoveStep &step, Schedule &schedule) {
  const auto loop = TRY(targetLoop(context, step));
  if (const std::string reason = whyNotHinted(schedule, *loop); !reason.empty())
    return illegalStep(step, reason);
  LoopHint hint;
  for (const auto &[name, target] : {std::pair{"width", &hint.width},
                                     {"interleave", &hint.interleave},
                                     {"unroll", &hint.unroll},
                                     {"ivdep", &hint.ivdep}}) {
    const auto value = TRY(parameterOf(step, name, 0, 64, 0));
    *target = value;
  }
  if (context.forGcc ? hint.width + hint.interleave > 0 : hint.ivdep > 0)
    return illegalStep(step, "this compiler has no such pragma");
  if (hint.width + hint.interleave + hint.unroll + hint.ivdep == 0)
    return illegalStep(step, "it asks for nothing");
  if (hint.width + hint.interleave + hint.ivdep > 0)
    if (const std::string reason = whyNotParallel(context.nest, *loop); !reason.empty())
      return illegalStep(step, reason);
  schedule.hints[loop] = hint;
  return {};
}

} // namespace

const Move kLoopPragma = {"loop-pragma", offerLoopPragma, applyLoopPragma, nullptr, MoveRole::Hint};

} // namespace agentic::moves
