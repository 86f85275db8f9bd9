// interchange(j): the loop and the one inside it change places, so that the memory that lies side by side is walked by
// the inner one.
//
//   for (j …) for (i …) a[i * n + j] = b[j];   →   for (i …) for (j …) a[i * n + j] = b[j];
//
// Precondition: nothing stands between the two loops; the bounds of neither need the other's variable; no element is
// touched in an iteration (j, i) and in one with a larger j and a smaller i, one of them writing; no scalar outlives an
// iteration of the inner one.
//
// An accumulator that is stored after the inner loop stands in the way; it moves into the element that it is stored to:
//
//   for (j …) {                                 for (j …) C[i * N + j] = 0;
//     float sum = 0;                            for (p …)
//     for (p …) sum += a[p] * B[p * N + j];  →    for (j …) C[i * N + j] += a[p] * B[p * N + j];
//     C[i * N + j] = sum;
//   }
//
// Precondition then: the iterations of the outer loop are independent; the element has exactly the accumulator's type;
// the inner loop and the initial value touch nothing of its array. Each element is computed in its original order.
#include "tool/base/text.h"
#include "tool/source/moves/dependence.h"
#include "tool/source/moves/legality.h"
#include "tool/source/moves/loop_effects.h"
#include "tool/source/moves/loop_text.h"
#include "tool/source/moves/move.h"

#include <algorithm>

namespace agentic::moves {
namespace {

const std::string &nameOf(const Nest &nest, VariableId variable) {
  return nest.variables[static_cast<std::size_t>(variable)].name;
}

const Loop *innerOf(const Loop &outer) {
  const auto found =
      std::ranges::find_if(outer.body, [](const Statement &statement) { return statement.loop != nullptr; });
  return found == outer.body.end() ? nullptr : found->loop.get();
}

/// Headers that mean the same in each other's place.
std::string whyHeadersDepend(const Nest &nest, const Loop &outer, const Loop &inner) {
  for (const Loop *loop : {&outer, &inner})
    if (!loop->problem.empty() || loop->header.end == 0)
      return loop->problem;
  const std::string &outerName = nameOf(nest, outer.variable), &innerName = nameOf(nest, inner.variable);
  if (outerName == innerName)
    return "both loops call their variable '" + outerName + "'";
  if (mentionsName(nest.slice(inner.header), outerName))
    return "the bounds of the loop '" + inner.name + "' depend on '" + outer.name + "'";
  if (mentionsName(nest.slice(outer.header), innerName))
    return "the header of the loop '" + outer.name + "' uses another '" + innerName + "'";
  return {};
}

std::string whyPerfectIsNot(const Nest &nest, const Loop &outer, const Loop &inner) {
  const Effects effects = effectsOf(nest, inner.body, {&outer, &inner});
  if (!effects.problem.empty())
    return effects.problem;
  for (const VariableId written : effects.written)
    if (!effects.declared.contains(written))
      return "'" + nameOf(nest, written) + "' carries a value from one iteration to the next";
  const std::string reason = whyMemoryDepends(
      nest, effects, effects, {{&outer, &outer, Relation::Order::Before}, {&inner, &inner, Relation::Order::After}});
  return reason.empty() ? "" : reason + " for a larger '" + outer.name + "' and a smaller '" + inner.name + "'";
}

/// `T sum = value; for (…) …; element = sum;`
struct Accumulation {
  const Statement *start = nullptr, *store = nullptr;
  const Expression *element = nullptr;
};

Accumulation accumulationIn(const Loop &outer) {
  if (outer.body.size() != 3 || !outer.body[1].loop)
    return {};
  const Statement &start = outer.body[0], &store = outer.body[2];
  if (start.declares < 0 || start.sharesDeclaration || (start.initializer.isEmpty() && !start.isZeroed) ||
      !store.expression || store.expression->kind != Expression::Kind::Assign || store.expression->op != "=")
    return {};
  const Expression &element = store.expression->operands[0], &value = store.expression->operands[1].plain();
  if (element.kind != Expression::Kind::Element || element.range.isEmpty() ||
      value.kind != Expression::Kind::Variable || value.variable != start.declares || element.type != value.type ||
      !value.isArithmetic())
    return {};
  return {&start, &store, &element};
}

std::string whyElementIsNoAccumulator(const Nest &nest, const Loop &outer, const Loop &inner,
                                      const Accumulation &accumulation) {
  const std::vector<Access> &stored = accumulation.store->accesses;
  const std::string text(nest.slice(accumulation.element->range));
  if (stored.size() != 1 || stored[0].base < 0 || !stored[0].subscript)
    return "it is not known which element '" + text + "' is";
  const Statement &start = *accumulation.start;
  const std::string &sum = nameOf(nest, start.declares);
  if (nest.variables[static_cast<std::size_t>(start.declares)].isConstant)
    return "'" + sum + "' is constant";
  const Effects inside = effectsOf(nest, {&start, 2}, {&outer});
  for (const Instance &instance : inside.instances)
    if (const VariableId base = instance.access->base;
        base < 0 || base == stored[0].base || nest.mayOverlap(base, stored[0].base))
      return "'" + instance.access->text + "' may be an element that '" + text + "' overwrites";
  for (const VariableId declared : inside.declared)
    if (mentionsName(text, nameOf(nest, declared)))
      return "'" + text + "' means something else inside the loop '" + inner.name + "'";
  if (mentionsName(nest.slice(inner.header), sum))
    return "the bounds of the loop '" + inner.name + "' depend on '" + sum + "'";
  return {};
}

/// Empty if they may change places; sets `accumulation` if that is needed.
std::string whyNot(const Nest &nest, const Loop &outer, const Loop &inner, Accumulation &accumulation) {
  if (std::string reason = whyHeadersDepend(nest, outer, inner); !reason.empty())
    return reason;
  if (outer.body.size() == 1)
    return whyPerfectIsNot(nest, outer, inner);
  accumulation = accumulationIn(outer);
  if (!accumulation.start)
    return "statements stand between the loops '" + outer.name + "' and '" + inner.name + "'";
  if (std::string reason = whyNotParallel(nest, outer); !reason.empty())
    return reason;
  return whyElementIsNoAccumulator(nest, outer, inner, accumulation);
}

Result<Rewrite> withElement(const Nest &nest, const MoveStep &step, const Loop &outer, const Loop &inner,
                            const Accumulation &accumulation) {
  const Statement &start = *accumulation.start;
  const std::string element(nest.slice(accumulation.element->range));
  const std::string &sum = nameOf(nest, start.declares);
  const std::string used = element.ends_with(']') ? element : "(" + element + ")";
  const Range body = bodyOf(nest, inner);
  std::vector<Edit> edits;
  if (!rename(nest, inner.body, body, start.declares, used, edits))
    return illegalStep(step, "not every '" + sum + "' in the loop '" + inner.name + "' is the accumulator");
  const std::string header(nest.slice(outer.header));
  const std::string value = start.isZeroed ? "0" : std::string(nest.slice(start.initializer));
  std::string text = header + " {\n" + element + " = " + value + ";\n}\n" + std::string(nest.slice(inner.header)) +
                     " {\n" + header + " {\n" + std::string(trim(applyEdits(nest.text, body, edits))) + "\n}\n}";
  if (!isInBlock(nest.text, nest.bodyBegin, outer.range.begin))
    text = "{\n" + text + "\n}";
  return Rewrite{{{outer.range, text}},
                 {"'" + sum + "' lives in '" + element + "', so that the loop '" + inner.name + "' goes outside of '" +
                  outer.name +
                  "'; nothing else reads that array, and each element is computed in its original order."}};
}

Result<Rewrite> rewrite(const MoveContext &context, const MoveStep &step) {
  const auto loop = targetLoop(context, step);
  if (!loop)
    return std::unexpected(loop.error());
  const Nest &nest = context.nest;
  const Loop &outer = **loop, *inner = innerOf(outer);
  if (!inner)
    return illegalStep(step, "there is no loop in the loop '" + step.target + "'");
  Accumulation accumulation;
  if (const std::string reason = whyNot(nest, outer, *inner, accumulation); !reason.empty())
    return illegalStep(step, reason);
  if (accumulation.start)
    return withElement(nest, step, outer, *inner, accumulation);
  return Rewrite{
      {{outer.header, std::string(nest.slice(inner->header))}, {inner->header, std::string(nest.slice(outer.header))}},
      {"The loops '" + outer.name + "' and '" + inner->name +
       "' change places: no iteration needs what another one touches that comes before it now and came "
       "after it."}};
}

void offer(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *outer : context.nest.loops) {
    const Loop *inner = innerOf(*outer);
    if (!inner)
      continue;
    Accumulation accumulation;
    if (std::string reason = whyNot(context.nest, *outer, *inner, accumulation); !reason.empty())
      result.refusals.push_back({"interchange", outer->name, std::move(reason)});
    else
      result.offers.push_back({"interchange", outer->name, {}});
  }
}

} // namespace

const Move kInterchange = {"interchange", offer, nullptr, rewrite};

} // namespace agentic::moves
