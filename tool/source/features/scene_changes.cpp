// The part of the scene that is about what changes: assignments, and those of them that update a value by itself.
#include "tool/source/features/rules.h"

#include <algorithm>

namespace agentic::features {
namespace {

using Kind = Expression::Kind;

constexpr std::string_view kUpdates[] = {"+", "-", "*", "&", "|", "^", "<<", ">>"};

/// Returns "min" or "max" if the choice between two values is one.
std::string orderOf(const Expression &condition, const Expression &chosen, const Expression &other) {
  const Expression &test = bare(condition);
  if (!isOrder(test))
    return {};
  const bool isKept = isSame(test.operands[0], chosen) && isSame(test.operands[1], other);
  const bool isSwapped = isSame(test.operands[1], chosen) && isSame(test.operands[0], other);
  if (isKept == isSwapped)
    return {};
  return (test.op.front() == '<') == isKept ? "min" : "max";
}

std::string orderOfValue(const Expression &value, const Expression &target, const Expression *&other) {
  const Expression &plain = bare(value);
  const std::string name = calledName(plain);
  const bool isCall =
      (name == "max" || name == "min" || name == "fmax" || name == "fmin") && plain.operands.size() == 2;
  if (isCall && (isSame(plain.operands[0], target) || isSame(plain.operands[1], target))) {
    other = &plain.operands[isSame(plain.operands[0], target) ? 1 : 0];
    return name.ends_with("max") ? "max" : "min";
  }
  if (plain.kind != Kind::Conditional)
    return {};
  const bool isFirst = isSame(plain.operands[1], target);
  if (!isFirst && !isSame(plain.operands[2], target))
    return {};
  other = &plain.operands[isFirst ? 2 : 1];
  return orderOf(plain.operands[0], plain.operands[1], plain.operands[2]);
}

} // namespace

void Scene::collectChanges() {
  forEachPart(*this, [&](const Occurrence &place, const Expression &part) {
    if (isStep(part) && !part.operands.empty()) {
      updates.push_back({&place, &part.operands[0], nullptr, part.op.ends_with("++") ? "+" : "-"});
      return;
    }
    if (part.kind != Kind::Assign || part.operands.size() != 2)
      return;
    const Expression &target = part.operands[0], &value = part.operands[1];
    assignments.push_back({&place, &target, &value, part.op});
    if (part.op != "=") {
      updates.push_back({&place, &target, &value, part.op.substr(0, part.op.size() - 1)});
      return;
    }
    const Expression &plain = bare(value);
    if (plain.kind == Kind::Binary && plain.operands.size() == 2 &&
        std::ranges::find(kUpdates, plain.op) != std::end(kUpdates)) {
      const bool isLeft = isSame(plain.operands[0], target), isRight = isSame(plain.operands[1], target);
      if (isLeft || (isRight && plain.op != "-" && plain.op != "<<" && plain.op != ">>"))
        updates.push_back({&place, &target, &plain.operands[isLeft ? 1 : 0], plain.op});
      return;
    }
    const Expression *other = nullptr;
    if (const std::string order = orderOfValue(value, target, other); !order.empty()) {
      updates.push_back({&place, &target, other, order});
      return;
    }
    // if (x > largest) largest = x;
    const Node *branch = place.branch();
    const bool isAlone = branch && (Scene::named(target) || branch->body.size() == 1); // no swap of elements
    if (isAlone && branch->kind == Node::Kind::Branch && branch->value) {
      const std::string order = orderOf(*branch->value, value, target);
      if (!order.empty())
        updates.push_back({&place, &target, &value, order});
    }
  });
}

} // namespace agentic::features
