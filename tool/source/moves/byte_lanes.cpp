// byte-lanes(i, bytes=32, shuffles=0, vectors=2): decodes, encodes and maps bytes a vector at a time. Tables become
// comparisons with the bytes, shifts move the bits of a whole group of bytes at once.
//
//   for (i …) {                                →   for (i0 …; i0 += kBlockI) {
//     const int a = kValue[s[2 * i]],                Bytes x = s[2 * i0 …];
//               b = kValue[s[2 * i + 1]];            Bytes value = x + 208 + ((x > 57) & 249) + ((x > 70) & 224);
//     if ((a | b) < 0)                               Bytes bad = ~((x > 47) ^ (x > 57) ^ (x > 64) …);
//       return false;                                if (bad is not 0 anywhere) { iHit = i0; break; }
//     out[i] = a << 4 | b;                           out[i0 …] = value << 4 | value >> 8;   // in lanes of 16 bits
//   }                                              }
//                                                  for (i = iHit …) as written
//
// An iteration reads one to four neighbouring bytes and writes as many, and the next one has the next group. What a
// byte becomes is found by running the kernel's own expressions for all its values; what several bytes become together
// must be their bits in other places, or a function of at most eight of them. With shuffles=1, where the level has the
// instruction, tables of 16 entries for half a byte take the place of most comparisons.
//
// Legal if the iteration does nothing else; if what it writes is no byte that another one reads; and if what ends the
// loop is decided by single bytes: a block without such a byte does what it did, and from the first block with one on
// the loop is as written. The bytes behind that one must be there, by the contract or an array's type. Nothing is read
// or written that the loop would not, or that the contract does not name.
#include "tool/source/moves/byte_lanes.h"
#include "tool/source/schedule/block_cut.h"

#include <algorithm>
#include <bit>
#include <map>

namespace agentic::moves {
namespace {

std::string whyNotByteLanes(const Nest &nest, const Loop &loop, const ByteLanes &plan, int iterations) {
  if (!plan.problem.empty())
    return plan.problem;
  const auto first = loop.lowerValue.plain().variable;
  const bool isContinued = first && nest.variable(*first).isMutated; // a block search says where
  return isContinued || isRestOfBlocks(nest, loop) ? "it only does what blocks left over"
                                                   : whyNotCut(nest, loop, iterations);
}

std::vector<int> sizesAt(const std::string &level) {
  if (level.starts_with("x86-64-v4"))
    return {64, 32};
  if (level.empty() || level == "x86-64-v3")
    return {32, 16};
  return {16};
}

/// Returns whether an instruction looks up the bytes of a vector of this size in 16 entries.
bool hasShuffles(const MoveContext &context, int bytes) {
  const std::string_view level = context.level;
  if (level.starts_with("x86-64-v4"))
    return bytes <= (context.forGcc ? 32 : 64); // GCC has no such builtin for 64 that Clang knows, too
  return bytes <= (level == "x86-64-v3" ? 32 : level == "x86-64-v2" ? 16 : 0);
}

bool hasShuffles(const ByteLanes &plan) {
  const auto isShuffled = [](const ByteFunction &function) { return function.shuffle.has_value(); };
  return std::ranges::any_of(plan.functions, isShuffled) || (plan.after && isShuffled(*plan.after)) ||
         (plan.leaves && halvesOf(plan.stays));
}

bool needsShuffles(const ByteLanes &plan) {
  const auto hasNoSteps = [](const ByteFunction &function) { return !function.steps; };
  return std::ranges::any_of(plan.functions, hasNoSteps) || (plan.after && hasNoSteps(*plan.after));
}

void offerByteLanes(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    const ByteLanes plan = planByteLanes(context, *loop);
    std::vector<int> sizes = sizesAt(context.level);
    std::string reason = whyNotByteLanes(context.nest, *loop, plan, iterationsOf(plan, {sizes[0], 1, false}));
    if (reason.empty() && needsShuffles(plan)) {
      std::erase_if(sizes, [&](int bytes) { return !hasShuffles(context, bytes); });
      reason = sizes.empty() ? "the values of a table are too irregular for comparisons with its bytes" : "";
    }
    if (!reason.empty()) {
      result.refusals.push_back({"byte-lanes", loop->name, std::move(reason)});
      continue;
    }
    std::map<std::string, std::vector<int>> parameters = {
        {"bytes", sizes}, {"vectors", plan.leaves ? std::vector{1, 2, 4} : std::vector{1, 2}}};
    if (needsShuffles(plan))
      parameters["shuffles"] = {1};
    else if (hasShuffles(plan) && std::ranges::all_of(sizes, [&](int bytes) { return hasShuffles(context, bytes); }))
      parameters["shuffles"] = {1, 0};
    result.offers.push_back({"byte-lanes", loop->name, std::move(parameters)});
  }
}

Result<Rewrite> rewriteByteLanes(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const auto bytes = TRY(parameterOf(step, "bytes", 16, 64));
  const auto vectors = TRY(parameterOf(step, "vectors", 1, 8));
  const auto shuffles = TRY(parameterOf(step, "shuffles", 0, 1, 0));
  const ByteLanes plan = planByteLanes(context, *loop);
  if (!std::has_single_bit(static_cast<unsigned>(bytes)))
    return illegalStep(step, "'bytes' must be a power of two");
  if (const std::string reason =
          whyNotByteLanes(context.nest, *loop, plan, iterationsOf(plan, {bytes, vectors, false}));
      !reason.empty())
    return illegalStep(step, reason);
  if (shuffles == 1 && !hasShuffles(context, bytes))
    return illegalStep(step,
                       "the level has no shuffles of " + std::to_string(bytes) + " bytes that both compilers know");
  if (shuffles == 0 && needsShuffles(plan))
    return illegalStep(step, "the values of a table are too irregular for comparisons with its bytes");
  const std::string name = "'" + loop->name + "'";
  Rewrite result;
  result.edits = {{loop->range, writeByteLanes(context.nest, *loop, plan, {bytes, vectors, shuffles == 1})}};
  result.why = {"What " + name +
                    " makes of its bytes is computed for a vector of them, by comparisons and shifts that "
                    "give the same for each value that a byte can have.",
                plan.leaves ? "From the first block on with a byte that ends the loop, it is as written; the bytes "
                              "behind it are there."
                            : "It writes no byte that another iteration reads."};
  return result;
}

} // namespace

const Move kByteLanes = {"byte-lanes", offerByteLanes, nullptr, rewriteByteLanes};

} // namespace agentic::moves
