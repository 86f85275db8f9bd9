#include "tool/source/loops/loop_nest.h"

#include <algorithm>

namespace agentic::moves {

const Parameter *FunctionFacts::parameter(std::string_view name) const {
  const auto found = std::ranges::find(parameters, name, &Parameter::name);
  return found == parameters.end() ? nullptr : &*found;
}

Loop *Nest::find(std::string_view name) const {
  for (Loop *loop : loops)
    if (loop->name == name)
      return loop;
  return nullptr;
}

bool Nest::symbolDependsOn(Symbol symbol, VariableId variable) const {
  if (symbol < kFirstOpaque)
    return symbol == variable;
  const std::vector<VariableId> &inside = opaque[static_cast<std::size_t>(symbol - kFirstOpaque)].variables;
  return std::ranges::find(inside, variable) != inside.end();
}

bool Nest::isLoopVariable(VariableId variable) const {
  return loopOf(variable) != nullptr;
}

bool Nest::mayOverlap(VariableId left, VariableId right) const {
  const Variable &first = variable(left), &second = variable(right);
  return first.isParameter && second.isParameter && std::ranges::any_of(mayAlias, [&](const auto &pair) {
           return (pair.first == first.name && pair.second == second.name) ||
                  (pair.first == second.name && pair.second == first.name);
         });
}

const Loop *Nest::loopOf(VariableId variable) const {
  for (const Loop *loop : loops)
    if (loop->variable == variable)
      return loop;
  return nullptr;
}

std::int64_t Nest::divisorOf(VariableId variable) const {
  const Variable &parameter = this->variable(variable);
  if (!parameter.isParameter || parameter.changes > 0 || parameter.isMutated || parameter.escapes)
    return 1;
  const auto known = multiples.find(parameter.name);
  return known == multiples.end() ? 1 : known->second;
}

bool containsLoop(const Loop &loop) {
  return std::ranges::any_of(loop.body, [](const Statement &statement) { return statement.loop != nullptr; });
}

bool isInside(const Loop &inner, const Loop &outer) {
  return &inner != &outer && outer.range.contains(inner.range);
}

void forEachInside(const std::vector<Statement> &statements, const std::function<void(const Statement &)> &visit) {
  for (const Statement &statement : statements) {
    visit(statement);
    if (statement.loop)
      forEachInside(statement.loop->body, visit);
    if (statement.branch) {
      forEachInside(statement.branch->thenBody, visit);
      forEachInside(statement.branch->elseBody, visit);
    }
    if (statement.selection)
      for (const Selection::Case &one : statement.selection->cases)
        forEachInside(one.body, visit);
    forEachInside(statement.inner, visit);
  }
}

void forEachRoot(const Statement &statement, const std::function<void(const Expression &)> &visit) {
  if (statement.expression)
    visit(*statement.expression);
  if (statement.value)
    visit(*statement.value);
  if (statement.branch)
    visit(statement.branch->condition);
  if (statement.selection)
    visit(statement.selection->value);
}

const Expression *initialValue(const Nest &nest, VariableId variable) {
  const Expression *value = nullptr;
  forEachInside(nest.statements, [&](const Statement &statement) {
    if (statement.declares == variable && statement.value)
      value = &*statement.value;
  });
  return value;
}

std::optional<std::int64_t> constantTrips(const Loop &loop) {
  const auto upper = loop.upperBound ? loop.upperBound->asConstant() : std::nullopt;
  std::int64_t trips = 0;
  if (!upper || !loop.lowerConstant || __builtin_sub_overflow(*upper, *loop.lowerConstant, &trips))
    return std::nullopt;
  return trips;
}

} // namespace agentic::moves
