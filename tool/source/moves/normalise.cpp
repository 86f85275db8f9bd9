// normalise(n): a loop whose variables walk is written as one that counts, with subscripts in the place of pointers
// that move.
//
//   while (n >= 4) {                          const size_t rounds = n / 4;
//     sum += p[0] * q[0] + p[3] * q[3];       for (size_t i = 0; i < rounds; ++i)
//     p += 4, q += 4;                    →      sum += p[i * 4] * q[i * 4] + p[i * 4 + 3] * q[i * 4 + 3];
//     n -= 4;                                 n -= rounds * 4;
//   }
//
// Legal if every variable that walks is a local number or pointer whose address nobody has, is changed by constants
// alone, each exactly once in every round, and if the test (at the top or the bottom) compares one of them with a value
// that stays the same. How often the loop runs is told before it: signed numbers and pointers do not overflow, and a
// loop over unsigned ones that does not end otherwise either cannot wrap around or, with a step that is a power of two,
// would never end if it did. What the loop leaves in a variable that is read later is written behind it, from the
// number of rounds; each `break` says how many were done.
#include "tool/source/moves/normalise.h"
#include "tool/source/loops/code_text.h"
#include "tool/source/moves/move.h"

#include <algorithm>

namespace agentic::moves {
std::string whyNotNormalise(const Walk &walk, const Nest &nest, RoundCount &count) {
  if (!walk.problem.empty())
    return walk.problem;
  if (walk.walked.empty())
    return "nothing steps by a constant in the loop '" + walk.name + "'";
  if (walk.isCounted && walk.isShadowed)
    return "'" + walk.counter + "' is the name of another variable in the loop '" + walk.name + "', too";
  count = countRounds(walk, nest);
  if (!count.problem.empty())
    return count.problem;
  const auto live = std::ranges::find_if(walk.walked, [](const WalkedVariable &walked) {
    return walked.isLive && (walked.isSteppedAtBreak || walked.every > 1);
  });
  if (walk.hasBreak && live != walk.walked.end())
    return "'" + live->name + "' is read after the loop '" + walk.name + "', and has stepped where a 'break' leaves it";
  // It is a sum of the iterations that were done, as it stands: other moves understand that.
  const auto onlyCounts = [&](const WalkedVariable &walked) {
    const auto index = static_cast<std::size_t>(&walked - walk.walked.data());
    return walked.isLive && std::ranges::none_of(walk.uses, [&](const WalkUse &use) { return use.walked == index; });
  };
  if (const auto found = std::ranges::find_if(walk.walked, onlyCounts);
      walk.isCounted && walk.hasBreak && found != walk.walked.end())
    return "'" + found->name + "' only counts in the loop '" + walk.name + "', which a 'break' may leave earlier";
  const bool isWritten = std::ranges::none_of(walk.breaks, &Range::isEmpty);
  if (!isWritten && std::ranges::any_of(walk.walked, &WalkedVariable::isLive))
    return "a 'break' of the loop '" + walk.name + "' comes from a macro";
  return {};
}

/// Its header names a constant of the function's own.
bool isInBlocks(const Walk &walk, const Nest &nest) {
  const auto namesConstant = [&](Range header) {
    return std::ranges::any_of(nest.variables, [&](const Variable &variable) {
      return variable.isConstexpr && !variable.isGlobal && mentionsName(nest.slice(header), variable.name);
    });
  };
  return namesConstant({walk.range.begin, walk.body.begin}) || std::ranges::any_of(nest.loops, [&](const Loop *loop) {
           return loop->range.contains(walk.range) && namesConstant(loop->header);
         });
}

Result<const Walk *> targetWalk(const MoveContext &context, const MoveStep &step) {
  const auto walk = std::ranges::find(context.nest.walks, step.target, &Walk::name);
  if (walk == context.nest.walks.end())
    return illegalStep(step, "there is no loop '" + step.target + "' whose variables walk");
  return &*walk;
}

namespace {

/// Before a loop around it is normalised, a window's head says how often it runs.
bool isConstant(const Walk &walk, const Nest &nest) {
  return !walk.isCounted && constantRounds(walk, nest) > 0;
}

void offerNormalise(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Walk &walk : context.nest.walks) {
    RoundCount count;
    if (isInBlocks(walk, context.nest))
      result.refusals.push_back({"normalise", walk.name, "it is part of the blocks of another move"});
    else if (std::string reason = whyNotNormalise(walk, context.nest, count); reason.empty())
      result.offers.push_back(
          {.move = "normalise", .target = walk.name, .parameters = {}, .isForm = isConstant(walk, context.nest)});
    else
      result.refusals.push_back({"normalise", walk.name, std::move(reason)});
  }
}

Result<Rewrite> rewriteNormalise(const MoveContext &context, const MoveStep &step) {
  const Walk *walk = TRY(targetWalk(context, step));
  RoundCount count;
  if (const std::string reason = whyNotNormalise(*walk, context.nest, count); !reason.empty())
    return illegalStep(step, reason);
  Rewrite rewrite;
  rewrite.edits = writeCounted(*walk, count, context.nest);
  rewrite.why = {"The loop '" + step.target +
                 "' counts its rounds: what walked through memory is a subscript, with the same values."};
  return rewrite;
}

} // namespace

const Move kNormalise = {"normalise", offerNormalise, nullptr, rewriteNormalise, MoveRole::Form};

} // namespace agentic::moves
