// overlap-tail(x, block=64): a loop runs in blocks, and the last block reaches back over elements that are done.
//
//   for (x = 0; x < n; ++x)          const size_t xShort = n < 64 ? n : 0;
//     out[x] = f(in[x]);             for (x = 0; x < xShort; ++x) … as written
//                             →      const size_t xEnd = n < 64 ? 0 : n;
//                                    for (x0 = 0; x0 < xEnd; x0 += 64) {
//                                      const size_t xFirst = x0 < xEnd - 64 ? x0 : xEnd - 64;
//                                      for (xx = 0; xx < 64; ++xx) { x = xFirst + xx; … }
//                                    }
//
// A row of 254 bytes is three vectors of 64 and 62 single bytes, which take longer than the vectors; with this it is
// four vectors.
//
// Precondition: the iterations are independent, and read nothing that the loop writes, so that one that is done again
// computes the same from the same. Bounds that wrap or narrow: whyNotCut.
#include "tool/source/dependence/legality.h"
#include "tool/source/loops/loop_effects.h"
#include "tool/source/moves/move.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>

namespace agentic::moves {
namespace {

constexpr int kSmallest = 8;
constexpr std::int64_t kManyBlocks = 64; // the rest of so many is little

/// Returns the places that statements of their own assign with `=`.
std::vector<Range> assignedPlaces(const Loop &loop) {
  std::vector<Range> places;
  forEachInside(loop.body, [&](const Statement &statement) {
    if (statement.expression && statement.expression->kind == Expression::Kind::Assign &&
        statement.expression->op == "=")
      places.push_back(statement.expression->operands[0].range);
  });
  return places;
}

std::string whyNotOverlapped(const Nest &nest, const Loop &loop, int block) {
  if (std::string reason = whyNotCut(nest, loop, block); !reason.empty())
    return reason;
  if (loop.lowerConstant != 0)
    return "the loop '" + loop.name + "' does not start at 0";
  if (std::string reason = whyNotParallel(nest, loop); !reason.empty())
    return reason;
  const LoopEffects effects = effectsOf(loop);
  if (!effects.problem.empty())
    return effects.problem;
  const std::vector<Range> assigned = assignedPlaces(loop);
  for (const Access *access : effects.accesses) {
    const bool isOwn =
        access->base && effects.declared.contains(*access->base) && nest.variable(*access->base).bytes > 0;
    if (isOwn)
      continue; // an array of one iteration
    if (!access->writes && mayBeWritten(nest, *access, effects))
      return "it reads '" + access->text + "', which it writes, too: done again, that is another value";
    if (access->writes && std::ranges::find(assigned, access->range) == assigned.end())
      return "'" + access->text + "' is not only assigned: done again, it changes again";
  }
  if (std::string reason = hiddenAlias(nest, loop); !reason.empty())
    return reason;
  return {};
}

/// Returns whether blocks of this size leave nothing over, or little of what they do.
bool leavesLittle(const MoveContext &context, const Loop &loop, int block) {
  if (const auto count = loop.upperBound ? loop.upperBound->asConstant() : std::nullopt)
    return *count % block == 0 || *count >= block * kManyBlocks || *count < block;
  const auto bound = loop.upperValue.plain().variable;
  if (!bound)
    return false;
  if (context.nest.divisorOf(*bound) % block == 0)
    return true;
  const auto observed = context.observed.find(context.nest.variable(*bound).name);
  return observed != context.observed.end() && context.nest.variable(*bound).isParameter &&
         std::ranges::all_of(observed->second, [&](std::int64_t count) {
           return count % block == 0 || count >= block * kManyBlocks || count < block;
         });
}

void offerOverlapTail(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    std::string reason = whyNotOverlapped(context.nest, *loop, kSmallest);
    if (reason.empty() && (hasFewIterations(context.nest, *loop) || isRestOfBlocks(context.nest, *loop)))
      reason = "it has few iterations anyway";
    MoveOffer made{"overlap-tail", loop->name, {}};
    for (const int block : {64, 32, 16, 128, kSmallest})
      if (block <= loop->largest && !leavesLittle(context, *loop, block))
        made.parameters["block"].push_back(block);
    if (reason.empty() && made.parameters.empty())
      reason = "blocks of it leave little over";
    result.add(std::move(made), std::move(reason));
  }
}

std::string textOf(const Nest &nest, const Loop &loop, int block) {
  FreshNames names(nest.surroundings + nest.text);
  const BlockCut cut = cutLoop(nest, loop, block, "kBlock", "iterations side by side", names);
  const std::string &type = cut.type, &name = nest.variable(loop.variable).name, &bound = cut.last, &size = cut.size;
  const std::string few = names.make(name + "Short"), first = names.make(name + "First"),
                    lane = laneName(nest, loop, names);
  // In a narrow type the start of a block behind the last one would overflow.
  const std::string isShort =
      bound + " < " + size +
      (loop.largest < INT64_MAX ? " || " + bound + " > " + std::to_string(loop.largest - block) : "");
  const std::string body = bodyText(nest, loop, {});
  return "{\n" + cut.constant + "const " + type + " " + few + " = " + isShort + " ? " + bound + " : 0;\nfor (" + type +
         " " + name + " = 0; " + name + " < " + few + "; ++" + name + ") {\n" + body + "}\nconst " + type + " " +
         cut.end + " = " + isShort + " ? 0 : " + bound + ";\n" +
         "// The last block reaches back: what it does again gives the same values.\n" + cut.blockHeader +
         " {\nconst " + type + " " + first + " = " + cut.start + " < " + cut.end + " - " + size + " ? " + cut.start +
         " : " + cut.end + " - " + size + ";\nfor (" + type + " " + lane + " = 0; " + lane + " < " + size + "; ++" +
         lane + ") {\nconst " + type + " " + name + " = " + first + " + " + lane + ";\n" + body + "}\n}\n}";
}

Result<Rewrite> rewriteOverlapTail(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const int block = TRY(parameterOf(step, "block", 2, 1024));
  if (const std::string reason = whyNotOverlapped(context.nest, *loop, block); !reason.empty())
    return illegalStep(step, reason);
  return Rewrite{{{loop->range, textOf(context.nest, *loop, block)}},
                 {"'" + loop->name + "' runs in blocks of " + std::to_string(block) +
                  "; the last one reaches back over elements that are done, and computes the same from what the loop "
                  "does not write."}};
}

} // namespace

const Move kOverlapTail = {"overlap-tail", offerOverlapTail, nullptr, rewriteOverlapTail};

} // namespace agentic::moves
