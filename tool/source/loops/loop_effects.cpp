#include "tool/source/loops/loop_effects.h"

#include <algorithm>

namespace agentic::moves {
namespace {

void addReferences(const std::vector<Reference> &references, LoopEffects &effects) {
  for (const Reference &reference : references)
    if (reference.writes)
      effects.assigned.insert(reference.variable);
}

void addInnerLoop(const Loop &loop, LoopEffects &effects) {
  effects.declared.insert(loop.variable);
  if (loop.upper.isEmpty() || !loop.upperValue.isPure || !loop.lowerValue.isPure)
    effects.problem = loop.problem;
  for (const Access &access : loop.boundAccesses)
    effects.accesses.push_back(&access);
}

} // namespace

bool mayBeSameArray(const Nest &nest, std::optional<VariableId> left, std::optional<VariableId> right) {
  const auto isShared = [&](VariableId id) { // an argument may refer to it, too
    const Variable &variable = nest.variable(id);
    return variable.isGlobal && !variable.isConstant;
  };
  return !left || !right || left == right || isShared(*left) || isShared(*right) || nest.mayOverlap(*left, *right);
}

std::string whyVariableChanges(const Nest &nest, VariableId id, const LoopEffects &effects) {
  const Variable &variable = nest.variable(id);
  if (effects.declared.contains(id))
    return "'" + variable.name + "' is declared in the loop";
  if (effects.assigned.contains(id))
    return "the loop changes '" + variable.name + "'";
  if (variable.escapes)
    return "the address of '" + variable.name + "' is taken";
  return variable.isGlobal && !variable.isConstant ? "'" + variable.name + "' is global" : "";
}

bool mayBeWritten(const Nest &nest, const Access &read, const LoopEffects &effects) {
  return std::ranges::any_of(effects.accesses, [&](const Access *other) {
    return other->writes && mayBeSameArray(nest, read.base, other->base);
  });
}

LoopEffects effectsOf(const Loop &loop) {
  LoopEffects effects;
  effects.declared.insert(loop.variable);
  forEachStatement(loop.body, [&](const Statement &statement) {
    if (!statement.problem.empty() && effects.problem.empty())
      effects.problem = statement.problem;
    if (statement.loop)
      addInnerLoop(*statement.loop, effects);
    if (statement.declares)
      effects.declared.insert(*statement.declares);
    effects.declared.insert(statement.declaresInside.begin(), statement.declaresInside.end());
    addReferences(statement.references, effects);
    for (const Access &access : statement.accesses)
      effects.accesses.push_back(&access);
  });
  return effects;
}

std::string whyNotInvariant(const Nest &nest, const Expression &value, const std::vector<const Access *> &accesses,
                            const LoopEffects &effects) {
  if (!effects.problem.empty())
    return effects.problem;
  if (!value.isPure || value.range.isEmpty())
    return "an expression is not understood";
  std::string reason;
  forEachExpression(value, [&](const Expression &inner) {
    if (inner.kind == Expression::Kind::Variable && reason.empty())
      reason = whyVariableChanges(nest, *inner.variable, effects);
    return true;
  });
  for (const Access *read : accesses)
    if (reason.empty() && value.range.contains(read->range) && mayBeWritten(nest, *read, effects))
      reason = "the loop may write '" + read->text + "'";
  return reason;
}

} // namespace agentic::moves
