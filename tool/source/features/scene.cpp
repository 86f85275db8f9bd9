#include "tool/source/features/scene.h"

#include <algorithm>
#include <cstdlib>

namespace agentic::features {
namespace {

using Kind = Expression::Kind;
using Role = Occurrence::Role;

/// Returns what `expression` adds to a variable, if that is all it does: `++i`, `i += 3`, `i = i + 3`.
std::optional<std::pair<VariableId, std::int64_t>> constantStep(const Expression &expression) {
  if (isStep(expression) && expression.operands.size() == 1) {
    const auto name = Scene::named(expression.operands[0]);
    return name ? std::optional(std::pair(*name, std::int64_t{expression.op.ends_with("++") ? 1 : -1})) : std::nullopt;
  }
  if (expression.kind != Kind::Assign || expression.operands.size() != 2)
    return std::nullopt;
  const auto name = Scene::named(expression.operands[0]);
  const Expression &value = expression.operands[1].plain();
  if (!name)
    return std::nullopt;
  if ((expression.op == "+=" || expression.op == "-=") && value.value)
    return std::pair(*name, expression.op == "+=" ? *value.value : -*value.value);
  if (expression.op == "=" && value.kind == Kind::Binary && (value.op == "+" || value.op == "-") &&
      Scene::named(value.operands[0]) == name && value.operands[1].plain().value)
    return std::pair(*name, value.op == "+" ? *value.operands[1].plain().value : -*value.operands[1].plain().value);
  return std::nullopt;
}

} // namespace

std::optional<VariableId> Scene::named(const Expression &expression) {
  const Expression *part = &expression;
  while (part->kind == Kind::Cast && part->operands.size() == 1)
    part = &part->operands.front();
  return part->kind == Kind::Variable ? part->variable : std::nullopt;
}

Scene::Scene(const Tree &kernel, std::size_t parameters) : tree(kernel), parameters_(parameters) {
  std::vector<const Node *> inside;
  walk(tree.nodes, -1, inside);
  collectDefinitions();
  collectChanges();
  collectData();
  collectAccesses();
}

void Scene::add(const Node &node, const Expression &root, Role role, int loop,
                const std::vector<const Node *> &inside) {
  occurrences.push_back({role, &node, &root, loop, inside});
}

void Scene::walk(const std::vector<Node> &nodes, int loop, std::vector<const Node *> &inside) {
  for (const Node &node : nodes) {
    if (node.kind == Node::Kind::Loop) {
      walkLoop(node, loop);
      continue;
    }
    const bool isChoice = node.kind == Node::Kind::Branch || node.kind == Node::Kind::Switch;
    if (node.value)
      add(node, *node.value,
          isChoice                               ? Role::Condition
          : node.kind == Node::Kind::Declaration ? Role::Value
          : node.kind == Node::Kind::Return      ? Role::Returned
                                                 : Role::Statement,
          loop, inside);
    const bool leaves = node.kind == Node::Kind::Leave || node.kind == Node::Kind::Return;
    for (int at = loop; leaves && at >= 0; at = loops[static_cast<std::size_t>(at)].parent) {
      loops[static_cast<std::size_t>(at)].leaves = true;
      if (node.kind == Node::Kind::Leave)
        break;
    }
    for (int at = loop; node.variable && at >= 0; at = loops[static_cast<std::size_t>(at)].parent)
      loops[static_cast<std::size_t>(at)].declared.insert(*node.variable);
    if (isChoice)
      inside.push_back(&node);
    walk(node.body, loop, inside);
    walk(node.otherwise, loop, inside);
    if (isChoice)
      inside.pop_back();
  }
}

void Scene::walkLoop(const Node &node, int parent) {
  const int own = static_cast<int>(loops.size());
  loops.emplace_back();
  loops.back().node = &node;
  loops.back().parent = parent;
  if (parent >= 0) {
    loops.back().depth = loops[static_cast<std::size_t>(parent)].depth + 1;
    loops[static_cast<std::size_t>(parent)].isInnermost = false;
  }
  if (node.lower && node.upper && node.lower->value && node.upper->value)
    loops.back().trips =
        std::max<std::int64_t>(0, (*node.upper->value - *node.lower->value + std::abs(node.stride) - 1) /
                                      std::max<std::int64_t>(1, std::abs(node.stride)));
  for (int at = own; node.variable && at >= 0; at = loops[static_cast<std::size_t>(at)].parent)
    loops[static_cast<std::size_t>(at)].declared.insert(*node.variable);
  std::vector<const Node *> inside;
  if (!node.variable) // what a counted loop starts at is no data of its own
    walk(node.start, parent, inside);
  if (node.value)
    add(node, *node.value, Role::Header, own, {});
  if (node.lower && !node.lower->operands.empty())
    add(node, *node.lower, Role::Header, own, {});
  walk(node.body, own, inside);
  walk(node.step, own, inside);
}

void forEachPart(const Scene &scene, const std::function<void(const Occurrence &, const Expression &)> &visit) {
  for (const Occurrence &occurrence : scene.occurrences)
    moves::forEachExpression(*occurrence.root, [&](const Expression &part) {
      visit(occurrence, part);
      return true;
    });
}

void Scene::collectDefinitions() {
  for (const Occurrence &occurrence : occurrences)
    if (occurrence.role == Role::Value && occurrence.node->variable)
      values_[*occurrence.node->variable].push_back(occurrence.root);
  forEachPart(*this, [&](const Occurrence &occurrence, const Expression &part) {
    const bool isAssignment = part.kind == Kind::Assign && part.operands.size() == 2;
    if (!isAssignment && !isStep(part))
      return;
    const auto name = named(part.operands[0]);
    if (!name)
      return;
    values_[*name].push_back(isAssignment && part.op == "=" ? &part.operands[1] : &part);
    const auto step = constantStep(part);
    for (int at = occurrence.loop; at >= 0; at = loops[static_cast<std::size_t>(at)].parent) {
      SceneLoop &loop = loops[static_cast<std::size_t>(at)];
      const bool isFirst = loop.assigned.insert(*name).second;
      const auto known = loop.walk.find(*name);
      // In an inner loop or under a condition it is not done once in a round.
      if (step && occurrence.inside.empty() && at == occurrence.loop && (isFirst || known != loop.walk.end()))
        loop.walk[*name] += step->second;
      else if (known != loop.walk.end())
        loop.walk.erase(known);
    }
  });
  for (SceneLoop &loop : loops)
    if (loop.node->variable && loop.node->upper)
      loop.walk[*loop.node->variable] = loop.node->stride;
}

const std::vector<const Expression *> &Scene::values(VariableId variable) const {
  static const std::vector<const Expression *> kNone;
  const auto found = values_.find(variable);
  return found == values_.end() ? kNone : found->second;
}

bool Scene::isData(const Expression &expression) const {
  bool found = false;
  moves::forEachExpression(expression, [&](const Expression &part) {
    found |= (part.kind == Kind::Element && part.isArithmetic()) || (part.kind == Kind::Field && part.isArithmetic()) ||
             (part.variable && data_.contains(*part.variable));
    return !found;
  });
  return found;
}

void Scene::collectData() {
  for (std::size_t i = parameters_; i < tree.names.variables.size(); ++i)
    if (tree.names.variables[i].isParameter && tree.names.variables[i].kind == moves::Variable::Kind::Scalar)
      data_.insert(static_cast<VariableId>(i)); // a helper's
  for (bool changes = true; changes;) {
    changes = false;
    for (const auto &[variable, values] : values_)
      if (!data_.contains(variable) && this->variable(variable).kind == moves::Variable::Kind::Scalar &&
          std::ranges::any_of(values, [&](const Expression *value) { return isData(*value); })) {
        data_.insert(variable);
        changes = true;
      }
  }
}

void Scene::forEachSource(const Expression &expression, const std::function<void(const Expression &)> &visit) const {
  std::set<VariableId> seen;
  std::vector<const Expression *> open = {&expression};
  while (!open.empty()) {
    const Expression *next = open.back();
    open.pop_back();
    visit(*next);
    moves::forEachExpression(*next, [&](const Expression &part) {
      if (part.variable && !variable(*part.variable).isParameter &&
          variable(*part.variable).kind == moves::Variable::Kind::Scalar && seen.size() < 64 &&
          seen.insert(*part.variable).second)
        for (const Expression *value : values(*part.variable))
          open.push_back(value);
      return true;
    });
  }
}

std::vector<const SceneAccess *> Scene::accessesOf(const Expression &expression) const {
  std::vector<const SceneAccess *> found;
  forEachSource(expression, [&](const Expression &source) {
    moves::forEachExpression(source, [&](const Expression &part) {
      if (const auto known = accessesAt_.find(&part); known != accessesAt_.end())
        for (const std::size_t index : known->second)
          if (std::ranges::find(found, &accesses[index]) == found.end())
            found.push_back(&accesses[index]);
      return true;
    });
  });
  return found;
}

std::set<std::string> Scene::arraysOf(const Expression &expression) const {
  std::set<std::string> arrays;
  for (const SceneAccess *access : accessesOf(expression))
    arrays.insert(access->array);
  return arrays;
}

bool Scene::isInLoop(int inner, int outer) const {
  for (int at = inner; at >= 0; at = loops[static_cast<std::size_t>(at)].parent)
    if (at == outer)
      return true;
  return outer < 0;
}

bool Scene::isCarried(VariableId variable, int loop) const {
  return loop >= 0 && loops[static_cast<std::size_t>(loop)].assigned.contains(variable) &&
         !loops[static_cast<std::size_t>(loop)].declared.contains(variable);
}

bool Scene::isLoopVariable(VariableId variable) const {
  return std::ranges::any_of(loops, [&](const SceneLoop &loop) { return loop.node->variable == variable; });
}

bool Scene::isDataBranch(const Node &node) const {
  return node.value && isData(*node.value);
}

bool Scene::isUnderData(const Occurrence &place) const {
  return std::ranges::any_of(place.inside, [&](const Node *node) { return isDataBranch(*node); });
}

} // namespace agentic::features
