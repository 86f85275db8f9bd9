// strip-mine(j, block=B): the iterations of a loop run B at a time, side by side, for the vectorizer.
//
//   for (j = 0; j < K; ++j) {              for (j0 = 0; j0 < jEnd; j0 += B) {
//     float sum = 0;                         float sum[B];
//     for (p = 0; p < K; ++p)                for (jj) sum[jj] = 0;
//       sum += a[p] * b[p*K + j];    →       for (p = 0; p < K; ++p)
//     c[j] = sum;                              for (jj) { j = j0 + jj; sum[jj] += a[p] * b[p*K + j]; }
//   }                                        for (jj) { j = j0 + jj; c[j] = sum[jj]; }
//                                          }
//                                          for (j = jEnd; j < K; ++j) …as before…
//
// Precondition: whyNotBlockable. Each sum is still added in the order of p: bit for bit the same result. `j / 32` is
// written `j0 / 32` if the block divides 32, so that loads through it leave the lanes.
#include "tool/source/moves/move.h"

namespace agentic::moves {
namespace {

void offerStripMine(const MoveContext &context, const Schedule &schedule, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    const std::string reason = whyNotBlockable(context.nest, schedule, {loop, 2, Block::Role::Vector});
    if (!reason.empty()) {
      result.refusals.push_back({"strip-mine", loop->name, reason});
      continue;
    }
    MoveOffer made{"strip-mine", loop->name, {}};
    for (const int block : {32, 16, 64, 8, 128, 4})
      if (whyTooLarge(schedule, {loop, block, Block::Role::Vector}).empty())
        made.parameters["block"].push_back(block);
    if (!made.parameters.empty())
      result.offers.push_back(std::move(made));
  }
}

Result<void> applyStripMine(const MoveContext &context, const MoveStep &step, Schedule &schedule) {
  return addBlock(context, step, schedule, "block", Block::Role::Vector);
}

} // namespace

const Move kStripMine = {"strip-mine", offerStripMine, applyStripMine};

} // namespace agentic::moves
