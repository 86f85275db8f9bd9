// fission(j): in a blocked nest, statements that depend on different lanes get loops of their own; values that pass
// between them are kept in small arrays.
//
//   for (jj) { s = f(j0 + jj, p);              for (jj) s[jj] = f(j0 + jj, p);
//     for (ii) sum[ii][jj] += a[i0 + ii][p]*s; }  →  for (ii) for (jj) sum[ii][jj] += a[i0 + ii][p] * s[jj];
//
// Always legal after blocking: every statement still sees the same values. g++ vectorizes the second form; Clang
// prefers the first.
#include "tool/source/moves/move.h"

namespace agentic::moves {
namespace {

void offerFission(const MoveContext &, const Schedule &schedule, MoveOffers &result) {
  if (!schedule.blocks.empty() && !schedule.fission)
    result.offers.push_back({"fission", schedule.blocks.front().loop->name, {}});
}

Result<void> applyFission(const MoveContext &context, const MoveStep &step, Schedule &schedule) {
  const auto loop = TRY(targetLoop(context, step));
  if (!schedule.blockOf(*loop))
    return illegalStep(step, "the loop '" + step.target + "' is not blocked");
  if (schedule.fission)
    return illegalStep(step, "the lanes are already split");
  schedule.fission = true;
  return {};
}

} // namespace

const Move kFission = {"fission", offerFission, applyFission};

} // namespace agentic::moves
