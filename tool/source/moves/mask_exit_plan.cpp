#include "tool/source/dependence/legality.h"
#include "tool/source/loops/code_text.h"
#include "tool/source/loops/loop_text.h"
#include "tool/source/moves/mask_exit.h"

#include <algorithm>
#include <array>

namespace agentic::moves {
namespace {

void splitBody(MaskPlan &plan) {
  for (const Statement &statement : plan.outer.body) {
    if (&statement == plan.inner)
      continue;
    (statement.range.begin < plan.inner->range.begin ? plan.before : plan.after).push_back(&statement);
    if (statement.kind != Statement::Kind::Simple && plan.problem.empty())
      plan.problem =
          statement.problem.empty() ? "there is another loop beside the one that ends early" : statement.problem;
  }
}

/// Returns whether a block is split: the statements before and after the inner loop go into loops of their own, in one
/// piece each.
bool isTornFromBlock(const MaskPlan &plan) {
  return std::ranges::any_of(std::array{&plan.before, &plan.after}, [&](const auto *part) {
    return !part->empty() && !hasWholeBlocks(plan.nest.slice({part->front()->range.begin, part->back()->range.end}));
  });
}

/// Matches `v = …;` on the top level.
bool assigns(const Statement &statement, VariableId variable) {
  return statement.expression && statement.expression->kind == Expression::Kind::Assign &&
         statement.expression->op == "=" && statement.expression->operands[0].variable == variable;
}

/// Requires `int n = 0`, or `n = 0` with an `n` of this iteration.
std::string whyNotPlainStart(const MaskPlan &plan, const Statement &statement) {
  if (!statement.problem.empty())
    return statement.problem;
  if (statement.declares)
    return statement.value ? whyNotSpeculative(plan.nest, *statement.value) : "";
  const auto isOwn = [&](std::optional<VariableId> id) {
    return std::ranges::any_of(plan.before, [&](const Statement *other) { return id && other->declares == id; });
  };
  const bool isAssignment = statement.expression && statement.expression->kind == Expression::Kind::Assign &&
                            isOwn(statement.expression->operands[0].variable);
  return isAssignment ? whyNotSpeculative(plan.nest, statement.expression->operands[1])
                      : "the header of the inner loop is not understood";
}

void collectOwn(MaskPlan &plan) {
  std::vector<const Statement *> first = plan.before;
  for (const Statement &statement : plan.inner->exitLoop->start) {
    if (plan.problem.empty())
      plan.problem = whyNotPlainStart(plan, statement);
    first.push_back(&statement);
  }
  std::set<std::string> names;
  for (const Statement *statement : first) {
    if (!statement->declares)
      continue;
    const VariableId id = *statement->declares;
    if (!names.insert(plan.variable(id).name).second && plan.problem.empty())
      plan.problem = "the inner loop declares another '" + plan.variable(id).name + "'";
    plan.own.insert(id);
    plan.lanes.push_back(id);
    const bool hasValue = statement->value || statement->isZeroed ||
                          std::ranges::any_of(first, [&](const Statement *other) { return assigns(*other, id); });
    if (!hasValue && plan.variable(id).kind == Variable::Kind::Scalar && plan.problem.empty())
      plan.problem = "'" + plan.variable(id).name + "' is declared without a value";
  }
}

/// Only variables that are used beyond the first part need an array.
void chooseLanes(MaskPlan &plan) {
  for (const Statement *statement : plan.after)
    for (const Reference &reference : statement->references)
      plan.usedAfter.insert(reference.variable);
  std::erase_if(plan.lanes,
                [&](VariableId id) { return !plan.usedInside.contains(id) && !plan.usedAfter.contains(id); });
  for (const VariableId id : plan.lanes)
    if (plan.variable(id).kind != Variable::Kind::Scalar && plan.problem.empty())
      plan.problem = "'" + plan.variable(id).name + "' is no number";
}

} // namespace

const Statement *exitingLoopOf(const Loop &outer) {
  const Statement *found = nullptr;
  for (const Statement &statement : outer.body) {
    if (!statement.exitLoop)
      continue;
    if (found)
      return nullptr;
    found = &statement;
  }
  return found;
}

MaskPlan planMaskExit(const Nest &nest, const Loop &outer) {
  MaskPlan plan{nest, outer, exitingLoopOf(outer), {}, {}};
  if (!plan.inner) {
    plan.problem = "there is no loop that ends early directly in the loop '" + outer.name + "', or more than one";
    return plan;
  }
  plan.problem = outer.problem;
  splitBody(plan);
  if (plan.problem.empty() && outer.lowerConstant != 0)
    plan.problem = "the loop '" + outer.name + "' does not start at 0";
  if (plan.problem.empty() && isTornFromBlock(plan))
    plan.problem = "a block begins or ends between the statements of the loop '" + outer.name + "'";
  collectOwn(plan);
  if (plan.problem.empty())
    plan.problem = whyNotParallel(nest, outer, plan.inner);
  if (plan.problem.empty())
    checkMaskedBody(plan);
  chooseLanes(plan);
  if (plan.problem.empty() && plan.changed.empty())
    plan.problem = "the inner loop changes nothing";
  return plan;
}

} // namespace agentic::moves
