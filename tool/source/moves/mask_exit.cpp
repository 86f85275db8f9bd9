// mask-exit(i, lanes=32): runs iterations of a loop side by side, each of which has an inner loop that may end early.
// The early end becomes a mask: the counts and sums of a lane stay once it is done, and the inner loop goes on while
// any lane is active.
//
//   for (i) {                                      for (i0 += kLanesI) {
//     float x = a[i];                                 for (lane) { xLanes[lane] = a[i0 + lane]; … active[lane] = 1; }
//     int n = 0;                                      do {
//     for (; n < most; ++n) {                           any = 0;
//       if (x > 4)                                      for (lane) {
//         break;                                  →       isActive = active[lane] & (n < most) & !(x > 4);
//       x = x * x + 1;                                    x = x * x + 1;
//     }                                                   n += isActive; …
//     out[i] = n;                                       }
//   }                                                 } while (any);
//                                                     for (lane) out[i0 + lane] = nLanes[lane];
//                                                   }
//                                                   the rest as written
//
// Legal if the iterations of the outer loop are independent, the inner loop changes only numbers that are declared in
// the iteration, and everything it evaluates can also be evaluated for a lane that is done: no memory, no integer
// division, no signed arithmetic that could overflow (sums are made under the mask), no conversion from floating point
// to integers. Every lane does the same operations in the same order, so that results are the same bit for bit. A
// variable that nothing reads after the inner loop needs no mask: later values of a finished lane are dropped.
#include "tool/source/moves/mask_exit.h"
#include "tool/source/moves/move.h"

namespace agentic::moves {
namespace {

constexpr int kFewestExitLanes = 2, kMostExitLanes = 128;

void offerMaskExit(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    if (!exitingLoopOf(*loop))
      continue;
    result.add({"mask-exit", loop->name, {{"lanes", {32, 16, 64, 8}}}}, planMaskExit(context.nest, *loop).problem);
  }
}

Result<Rewrite> rewriteMaskExit(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const auto lanes = TRY(parameterOf(step, "lanes", kFewestExitLanes, kMostExitLanes));
  const MaskPlan plan = planMaskExit(context.nest, *loop);
  if (!plan.problem.empty())
    return illegalStep(step, plan.problem);
  if (lanes > loop->largest)
    return illegalStep(step, "the type of '" + step.target + "' does not hold " + std::to_string(lanes));
  Rewrite rewrite;
  rewrite.edits.push_back({loop->range, writeMaskExit(plan, lanes)});
  rewrite.why = {"Iterations of '" + step.target + "' are independent: " + std::to_string(lanes) +
                     " run side by side until the last of them leaves its inner loop.",
                 "One that has left counts and sums no more; what else it computes is dropped and cannot trap."};
  return rewrite;
}

} // namespace

const Move kMaskExit = {"mask-exit", offerMaskExit, nullptr, rewriteMaskExit};

} // namespace agentic::moves
