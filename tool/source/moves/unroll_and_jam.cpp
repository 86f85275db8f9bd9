// unroll-and-jam(i, rows=R): runs R iterations of an outer loop together, so that values which do not depend on the row
// are loaded and computed once for all of them, and their sums are independent chains.
//
//   for (i) for (j) {                      for (i0; i0 < iEnd; i0 += R) for (j) {
//     float sum = 0;                         float sum[R];
//     for (p)                                for (ii) sum[ii] = 0;
//       { s = f(p, j); sum += a[i][p]*s; } → for (p) { s = f(p, j); for (ii) sum[ii] += a[i0 + ii][p] * s; }
//     c[i][j] = sum;                         for (ii) c[i0 + ii][j] = sum[ii];
//   }                                      }
//                                          for (i = iEnd; i < M; ++i) …as before…
//
// Precondition: whyNotBlockable. With a strip-mined loop inside, sums become R × B arrays that compilers keep in
// registers.
#include "tool/source/moves/move.h"

namespace agentic::moves {
namespace {

void offerUnrollAndJam(const MoveContext &context, const Schedule &schedule, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    const std::string reason = whyNotBlockable(context.nest, schedule, {loop, 2, Block::Role::Rows});
    if (!reason.empty()) {
      result.refusals.push_back({"unroll-and-jam", loop->name, reason});
      continue;
    }
    MoveOffer made{"unroll-and-jam", loop->name, {}};
    for (const int rows : {8, 4, 6, 12, 2, 3, 5, 10, 16})
      if (whyTooLarge(schedule, {loop, rows, Block::Role::Rows}).empty())
        made.parameters["rows"].push_back(rows);
    if (!made.parameters.empty())
      result.offers.push_back(std::move(made));
  }
}

Result<void> applyUnrollAndJam(const MoveContext &context, const MoveStep &step, Schedule &schedule) {
  return addBlock(context, step, schedule, "rows", Block::Role::Rows);
}

} // namespace

const Move kUnrollAndJam = {"unroll-and-jam", offerUnrollAndJam, applyUnrollAndJam};

} // namespace agentic::moves
