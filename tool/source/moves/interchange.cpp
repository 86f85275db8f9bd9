// interchange(j): swaps a loop and the one inside it, so that the inner one walks contiguous memory.
//
//   for (j …) for (i …) a[i * n + j] = b[j];   →   for (i …) for (j …) a[i * n + j] = b[j];
//
// Precondition: there is nothing between the two loops; the bounds of neither need the other's variable; no element is
// touched in an iteration (j, i) and in one with a larger j and a smaller i, one of them writing; no scalar outlives an
// iteration of the inner one.
//
// An accumulator that is stored after the inner loop would prevent this; it moves into the element of that store:
//
//   for (j …) {                                 for (j …) C[i * N + j] = 0;
//     float sum = 0;                            for (p …)
//     for (p …) sum += a[p] * B[p * N + j];  →    for (j …) C[i * N + j] += a[p] * B[p * N + j];
//     C[i * N + j] = sum;
//   }
//
// Further precondition: the iterations of the outer loop are independent; the element has exactly the accumulator's
// type; the inner loop and the initial value touch nothing of its array. Each element keeps its order of computation.
#include "tool/base/text.h"
#include "tool/source/dependence/dependence.h"
#include "tool/source/dependence/legality.h"
#include "tool/source/loops/code_text.h"
#include "tool/source/loops/loop_effects.h"
#include "tool/source/loops/loop_text.h"
#include "tool/source/moves/move.h"

#include <algorithm>
#include <set>
#include <span>

namespace agentic::moves {
namespace {

const Loop *innerOf(const Loop &outer) {
  const auto found =
      std::ranges::find_if(outer.body, [](const Statement &statement) { return statement.loop != nullptr; });
  return found == outer.body.end() ? nullptr : found->loop.get();
}

/// Requires headers that mean the same in each other's place.
std::string whyHeadersDepend(const Nest &nest, const Loop &outer, const Loop &inner) {
  for (const Loop *loop : {&outer, &inner})
    if (!loop->problem.empty() || loop->header.end == 0)
      return loop->problem;
  const std::string &outerName = nest.variable(outer.variable).name, &innerName = nest.variable(inner.variable).name;
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
      return "'" + nest.variable(written).name + "' carries a value from one iteration to the next";
  const std::string reason = whyMemoryDepends(
      nest, effects, effects, {{&outer, &outer, Relation::Order::Before}, {&inner, &inner, Relation::Order::After}});
  return reason.empty() ? "" : reason + " for a larger '" + outer.name + "' and a smaller '" + inner.name + "'";
}

/// `T sum = value; for (…) …; element = sum;`, and declarations in front that may be repeated.
struct Accumulation {
  const Statement *start = nullptr, *store = nullptr;
  const Expression *element = nullptr;
  std::vector<const Statement *> repeated;
};

Accumulation accumulationIn(const Nest &nest, const Loop &outer) {
  const std::size_t size = outer.body.size();
  if (size < 3 || !outer.body[size - 2].loop)
    return {};
  const Effects effects = effectsOf(nest, outer.body, {&outer});
  Accumulation found;
  for (const Statement &statement : std::span(outer.body).first(size - 2))
    if (isRepeatable(nest, statement, effects))
      found.repeated.push_back(&statement);
    else if (!found.start)
      found.start = &statement;
    else
      return {};
  found.store = &outer.body.back();
  if (!found.start || !found.start->declares || found.start->sharesDeclaration ||
      (found.start->initializer.isEmpty() && !found.start->isZeroed) || !found.store->expression ||
      found.store->expression->kind != Expression::Kind::Assign || found.store->expression->op != "=")
    return {};
  found.element = &found.store->expression->operands[0];
  const Expression &value = found.store->expression->operands[1].plain();
  if (found.element->kind != Expression::Kind::Element || found.element->range.isEmpty() ||
      value.kind != Expression::Kind::Variable || value.variable != found.start->declares ||
      found.element->type != value.type || !value.isArithmetic())
    return {};
  return found;
}

std::string whyElementIsNoAccumulator(const Nest &nest, const Loop &outer, const Loop &inner,
                                      const Accumulation &accumulation) {
  const std::vector<Access> &stored = accumulation.store->accesses;
  const std::string text(nest.slice(accumulation.element->range));
  if (stored.size() != 1 || !stored[0].base || !stored[0].subscript)
    return "it is not known which element '" + text + "' is";
  const Statement &start = *accumulation.start;
  const std::string &sum = nest.variable(*start.declares).name;
  if (nest.variable(*start.declares).isConstant)
    return "'" + sum + "' is constant";
  const Effects inside = effectsOf(nest, std::span(outer.body).first(outer.body.size() - 1), {&outer});
  for (const Instance &instance : inside.instances)
    if (const std::optional<VariableId> base = instance.access->base;
        !base || base == stored[0].base || nest.mayOverlap(*base, *stored[0].base))
      return "'" + instance.access->text + "' may be an element that '" + text + "' overwrites";
  std::set<VariableId> repeated;
  for (const Statement *statement : accumulation.repeated)
    repeated.insert(*statement->declares);
  for (const VariableId declared : inside.declared)
    if (!repeated.contains(declared) && mentionsName(text, nest.variable(declared).name))
      return "'" + text + "' means something else inside the loop '" + inner.name + "'";
  repeated.insert(*start.declares);
  for (const VariableId declared : repeated)
    if (mentionsName(nest.slice(inner.header), nest.variable(declared).name))
      return "the bounds of the loop '" + inner.name + "' depend on '" + nest.variable(declared).name + "'";
  return {};
}

/// Returns empty if the loops may be interchanged, else the reason; sets `accumulation` if that is needed.
std::string whyNotInterchange(const Nest &nest, const Loop &outer, const Loop &inner, Accumulation &accumulation) {
  if (std::string reason = whyHeadersDepend(nest, outer, inner); !reason.empty())
    return reason;
  if (outer.body.size() == 1)
    return whyPerfectIsNot(nest, outer, inner);
  accumulation = accumulationIn(nest, outer);
  if (!accumulation.start)
    return "statements stand between the loops '" + outer.name + "' and '" + inner.name + "'";
  if (std::string reason = whyNotParallel(nest, outer); !reason.empty())
    return reason;
  return whyElementIsNoAccumulator(nest, outer, inner, accumulation);
}

void noteUses(const Statement &statement, std::set<VariableId> &used) {
  const auto note = [&](const std::vector<Reference> &references) {
    for (const Reference &reference : references)
      used.insert(reference.variable);
  };
  note(statement.references);
  if (!statement.loop)
    return;
  note(statement.loop->boundReferences);
  forEachStatement(statement.loop->body, [&](const Statement &inner) {
    note(inner.references);
    if (inner.loop)
      note(inner.loop->boundReferences);
  });
}

/// Returns the repeated declarations that a part of the loop needs.
std::string declarationsFor(const Nest &nest, const Accumulation &accumulation, const Statement &part) {
  std::set<VariableId> used;
  noteUses(part, used);
  noteUses(*accumulation.store, used);
  std::string text;
  for (std::size_t i = accumulation.repeated.size(); i-- > 0;) {
    const Statement &statement = *accumulation.repeated[i];
    if (!used.contains(*statement.declares))
      continue;
    noteUses(statement, used);
    text = std::string(nest.slice(statement.range)) + "\n" + text;
  }
  return text;
}

Result<Rewrite> withElement(const Nest &nest, const MoveStep &step, const Loop &outer, const Loop &inner,
                            const Accumulation &accumulation) {
  const Statement &start = *accumulation.start;
  const std::string element(nest.slice(accumulation.element->range));
  const std::string &sum = nest.variable(*start.declares).name;
  const std::string used = element.ends_with(']') ? element : "(" + element + ")";
  const Range body = bodyOf(nest, inner);
  std::vector<Edit> edits;
  if (!rename(nest, inner.body, body, *start.declares, used, edits))
    return illegalStep(step, "not every '" + sum + "' in the loop '" + inner.name + "' is the accumulator");
  const std::string header(nest.slice(outer.header));
  const std::string value = start.isZeroed ? "0" : std::string(nest.slice(start.initializer));
  const std::string before = declarationsFor(nest, accumulation, start);
  const std::string inside = declarationsFor(nest, accumulation, outer.body[outer.body.size() - 2]);
  std::string text = header + " {\n" + before + element + " = " + value + ";\n}\n" +
                     std::string(nest.slice(inner.header)) + " {\n" + header + " {\n" + inside +
                     std::string(trim(applyEdits(nest.text, body, edits))) + "\n}\n}";
  if (!isInBlock(nest.text, nest.bodyBegin, outer.range.begin))
    text = "{\n" + text + "\n}";
  return Rewrite{{{outer.range, text}},
                 {"'" + sum + "' lives in '" + element + "', so that the loop '" + inner.name + "' goes outside of '" +
                  outer.name +
                  "'; nothing else reads that array, and each element is computed in its original order."}};
}

Result<Rewrite> rewriteInterchange(const MoveContext &context, const MoveStep &step) {
  const auto loop = TRY(targetLoop(context, step));
  const Nest &nest = context.nest;
  const Loop &outer = *loop, *inner = innerOf(outer);
  if (!inner)
    return illegalStep(step, "there is no loop in the loop '" + step.target + "'");
  Accumulation accumulation;
  if (const std::string reason = whyNotInterchange(nest, outer, *inner, accumulation); !reason.empty())
    return illegalStep(step, reason);
  if (accumulation.start)
    return withElement(nest, step, outer, *inner, accumulation);
  return Rewrite{
      {{outer.header, std::string(nest.slice(inner->header))}, {inner->header, std::string(nest.slice(outer.header))}},
      {"The loops '" + outer.name + "' and '" + inner->name +
       "' change places: no iteration needs what another one touches that comes before it now and came "
       "after it."}};
}

/// Counts the accesses in `around` that stay in place or advance by one element with `loop`.
int countNear(const Loop &around, const Loop &loop) {
  int count = 0;
  forEachStatement(around.body, [&](const Statement &statement) {
    for (const Access &access : statement.accesses) {
      const auto linear = access.subscript ? access.subscript->linearIn(loop.variable) : std::nullopt;
      const auto stride = linear ? linear->coefficient.asConstant() : std::nullopt;
      count += stride && *stride >= 0 && *stride <= 1;
    }
  });
  return count;
}

void offerInterchange(const MoveContext &context, const Schedule &, MoveOffers &result) {
  for (const Loop *outer : context.nest.loops) {
    const Loop *inner = innerOf(*outer);
    if (!inner)
      continue;
    Accumulation accumulation;
    std::string reason = whyNotInterchange(context.nest, *outer, *inner, accumulation);
    if (reason.empty() && countNear(*inner, *outer) < countNear(*inner, *inner))
      reason = "'" + inner->name + "' walks more memory side by side than '" + outer->name + "'";
    result.add({"interchange", outer->name, {}}, std::move(reason));
  }
}

} // namespace

const Move kInterchange = {"interchange", offerInterchange, nullptr, rewriteInterchange};

} // namespace agentic::moves
