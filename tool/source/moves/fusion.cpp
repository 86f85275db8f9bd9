// fusion(c#2): two consecutive loops over the same values become one: two passes over memory become one.
//
//   for (c …) out[c] = in[c] * scale;        for (c …) {
//   for (c …) out[c] = out[c] * weight[c];  →   out[c] = in[c] * scale;
//                                               out[c] = out[c] * weight[c];
//                                             }
//
// Precondition: both bounds are equal; the first loop touches nothing in an iteration that the second one touches in an
// earlier one (one of them writing); no scalar that one assigns is used by the other. Statements between them move to
// the front if they are independent of the first loop. Every statement computes the same as before, in the same order
// within each of the two loops.
#include "tool/base/text.h"
#include "tool/source/dependence/dependence.h"
#include "tool/source/loops/code_text.h"
#include "tool/source/loops/loop_text.h"
#include "tool/source/moves/move.h"

#include <algorithm>

namespace agentic::moves {
namespace {

/// A loop, the next one, and the statements between them.
struct Pair {
  const Loop *first = nullptr, *second = nullptr;
  std::span<const Statement> between;
};

Pair pairOf(const Nest &nest, const Loop &loop) {
  const LoopPlace place = placeOf(nest, loop);
  if (!place.statements)
    return {};
  const auto begin = place.statements->begin() + static_cast<std::ptrdiff_t>(place.index) + 1;
  const auto next = std::find_if(begin, place.statements->end(),
                                 [](const Statement &statement) { return statement.kind != Statement::Kind::Simple; });
  if (next == place.statements->end() || !next->loop)
    return {};
  return {&loop, next->loop.get(), {begin, next}};
}

/// Requires that the statements between the loops can move in front of the first.
std::string whyNotMoved(const Nest &nest, const Pair &pair, const Effects &first) {
  const Effects between = effectsOf(nest, pair.between, {});
  const std::string what = "what stands between the loops '" + pair.first->name + "' and '" + pair.second->name + "': ";
  if (!between.problem.empty())
    return what + between.problem;
  if (const std::string shared = sharedVariable(nest, between, first); !shared.empty())
    return what + "'" + shared + "' is assigned in one and used in the other";
  for (const VariableId declared : between.declared)
    if (mentionsName(nest.slice(pair.first->range), nest.variable(declared).name))
      return what + "the loop '" + pair.first->name + "' uses another '" + nest.variable(declared).name + "'";
  const std::string reason = whyMemoryDepends(nest, between, first, {});
  return reason.empty() ? "" : what + reason;
}

std::string whyNotFused(const Nest &nest, const Pair &pair) {
  const Loop &first = *pair.first, &second = *pair.second;
  for (const Loop *loop : {&first, &second})
    if (!loop->problem.empty() || loop->header.end == 0)
      return loop->problem;
  const std::string_view gap = nest.slice({first.range.end, second.range.begin});
  if (gap.find('#') != std::string_view::npos)
    return "preprocessor directives may stand between the loops '" + first.name + "' and '" + second.name + "'";
  if (!hasWholeBlocks(gap))
    return "the loops '" + first.name + "' and '" + second.name + "' do not stand in the same block";
  if (!haveSameBounds(nest, first, second))
    return "the loops '" + first.name + "' and '" + second.name + "' have different bounds";
  const Effects before = effectsOf(nest, first.body, {&first}), after = effectsOf(nest, second.body, {&second});
  for (const Effects *effects : {&before, &after})
    if (!effects->problem.empty())
      return effects->problem;
  if (const std::string shared = sharedVariable(nest, before, after); !shared.empty())
    return "'" + shared + "' passes from one of the loops to the other";
  const std::string &name = nest.variable(first.variable).name;
  if (name != nest.variable(second.variable).name && mentionsName(nest.slice(second.range), name))
    return "the loop '" + second.name + "' uses another '" + name + "'";
  if (!pair.between.empty())
    if (std::string reason = whyNotMoved(nest, pair, before); !reason.empty())
      return reason;
  const std::string reason = whyMemoryDepends(nest, before, after, {{&first, &second, Relation::Order::After}});
  return reason.empty() ? ""
                        : reason + ", which the loop '" + second.name + "' may need before '" + first.name +
                              "' has written it, or the other way round";
}

void offerFusion(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *loop : context.nest.loops) {
    const Pair pair = pairOf(context.nest, *loop);
    if (!pair.second)
      continue;
    result.add({"fusion", loop->name, {}}, whyNotFused(context.nest, pair));
  }
}

/// Returns the first body, in braces if the second one means something else by a name that it declares.
std::string firstBody(const Nest &nest, const Pair &pair) {
  std::string text(trim(nest.slice(bodyOf(nest, *pair.first))));
  const std::size_t end = pair.first->range.end;
  text += nest.slice({end, endWithComment(nest, end)});
  const std::string_view second = nest.slice(pair.second->range);
  const bool clashes = std::ranges::any_of(pair.first->body, [&](const Statement &statement) {
    return statement.declares && mentionsName(second, nest.variable(*statement.declares).name);
  });
  return clashes ? "{\n" + text + "\n}" : text;
}

std::string secondBody(const Nest &nest, const Pair &pair) {
  const Range range = bodyOf(nest, *pair.second);
  const std::string &name = nest.variable(pair.first->variable).name, &old = nest.variable(pair.second->variable).name;
  std::vector<Edit> edits;
  if (name == old || rename(nest, pair.second->body, range, pair.second->variable, name, edits))
    return std::string(trim(applyEdits(nest.text, range, edits)));
  const std::string &type = nest.variable(pair.second->variable).type;
  return "{\nconst " + type + " " + old + " = " + name + ";\n" + std::string(trim(nest.slice(range))) + "\n}";
}

Result<Rewrite> rewriteFusion(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const Nest &nest = context.nest;
  const Pair pair = pairOf(nest, *loop);
  if (!pair.second)
    return illegalStep(step, "no loop follows '" + step.target + "'");
  if (const std::string reason = whyNotFused(nest, pair); !reason.empty())
    return illegalStep(step, reason);
  const std::size_t end = endWithComment(nest, pair.first->range.end);
  const std::string gap(trim(nest.slice({end, pair.second->range.begin}))); // comments, too
  const std::string before = pair.between.empty() ? "" : gap + "\n";
  const std::string inside = pair.between.empty() && !gap.empty() ? gap + "\n" : "";
  const std::string text = before + std::string(nest.slice(pair.first->header)) + " {\n" + firstBody(nest, pair) +
                           "\n" + inside + secondBody(nest, pair) + "\n}";
  return Rewrite{{{{pair.first->range.begin, pair.second->range.end}, text}},
                 {"The two loops over '" + nest.variable(pair.first->variable).name +
                  "' run over the same values, and none of their iterations needs what a later one of the other "
                  "touches."}};
}

} // namespace

const Move kFusion = {"fusion", offerFusion, nullptr, rewriteFusion};

} // namespace agentic::moves
