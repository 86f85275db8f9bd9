// The part of the scene that is about memory: accesses, their subscripts and how these move.
#include "tool/source/features/scene.h"

#include <algorithm>
#include <cstdlib>

namespace agentic::features {
namespace {

using moves::Polynomial;
using Kind = Expression::Kind;
using Role = Occurrence::Role;

constexpr int kDeepest = 12;                // of values behind variables
constexpr std::int64_t kRowElements = 4096; // stands for the length of a row, which only has to be no small stride

} // namespace

void Scene::collectAccesses() {
  for (const Occurrence &occurrence : occurrences)
    visitAccesses(occurrence, *occurrence.root, true, false, false, false);
  for (std::size_t i = 0; i < accesses.size(); ++i)
    accessesAt_[accesses[i].element].push_back(i);
  for (SceneAccess &access : accesses)
    for (const Expression *index : access.indices)
      if (access.isIndexedByData)
        for (const SceneAccess *source : accessesOf(*index))
          access.isIndexedByByte |= source->element->isInteger && source->element->bits == 8;
}

void Scene::visitAccesses(const Occurrence &place, const Expression &expression, bool reads, bool writes, bool isUpdate,
                          bool isIndex) {
  if (expression.kind == Kind::Assign && expression.operands.size() == 2) {
    visitAccesses(place, expression.operands[0], expression.op != "=", true, expression.op != "=", isIndex);
    visitAccesses(place, expression.operands[1], true, false, false, isIndex);
    return;
  }
  if (isStep(expression)) {
    visitAccesses(place, expression.operands[0], true, true, true, isIndex);
    return;
  }
  if (expression.kind == Kind::Element) {
    if (expression.isArithmetic())
      addAccess(place, expression, reads, writes, isUpdate, isIndex);
    // Inner dimensions are no accesses of their own, but what subscripts hold is.
    const Expression *part = &expression;
    while ((part->kind == Kind::Element || part->kind == Kind::Field || part->kind == Kind::Cast) &&
           !part->operands.empty()) {
      for (std::size_t i = 1; i < part->operands.size(); ++i)
        visitAccesses(place, part->operands[i], true, false, false, true);
      part = &part->operands[0];
    }
    return visitAccesses(place, *part, true, false, false, isIndex);
  }
  if (expression.kind == Kind::Field && expression.isArithmetic() && !expression.operands.empty() &&
      expression.operands[0].plain().kind == Kind::Element)
    addAccess(place, expression, reads, writes, isUpdate, isIndex);
  for (const Expression &operand : expression.operands)
    visitAccesses(place, operand, expression.kind == Kind::Cast ? reads : true,
                  expression.kind == Kind::Cast ? writes : false, false, isIndex);
}

void Scene::addAccess(const Occurrence &place, const Expression &element, bool reads, bool writes, bool isUpdate,
                      bool isIndex) {
  SceneAccess access;
  access.place = &place;
  access.element = &element;
  access.reads = reads;
  access.writes = writes;
  access.isUpdate = isUpdate;
  access.isIndex = isIndex;
  access.isInHeader = place.role == Role::Header;
  std::optional<Polynomial> subscript = Polynomial();
  std::string fields;
  std::int64_t row = 1;
  const auto addIndex = [&](const Expression &index) {
    const auto value = form(index);
    const auto scaled = value ? Polynomial::multiply(*value, Polynomial::constant(row)) : std::nullopt;
    subscript = subscript && scaled ? Polynomial::add(*subscript, *scaled) : std::nullopt;
    row = row > (std::int64_t{1} << 30) ? row : row * kRowElements;
    access.indices.push_back(&index);
    access.isIndexedByData |= isData(index);
  };
  // Down to the variable; a pointer that got its value once stands for that value.
  const Expression *part = &element;
  for (int steps = 0; steps < 2 * kDeepest; ++steps) {
    if ((part->kind == Kind::Element || part->kind == Kind::Field) && !part->operands.empty()) {
      if (part->kind == Kind::Field)
        fields = "." + part->op + fields;
      for (std::size_t i = 1; i < part->operands.size(); ++i)
        addIndex(part->operands[i]);
      part = &part->operands[0];
    } else if ((part->kind == Kind::Cast || part->kind == Kind::Unary) && !part->operands.empty()) {
      part = &part->operands[0];
    } else if (part->kind == Kind::Binary && part->operands.size() == 2 && (part->op == "+" || part->op == "-")) {
      const bool isLeft = !part->operands[0].isInteger;
      const std::int64_t before = row;
      row = 1;
      addIndex(part->operands[isLeft ? 1 : 0]);
      row = before;
      part = &part->operands[isLeft ? 0 : 1];
    } else if (part->kind == Kind::Variable && part->variable && !variable(*part->variable).isParameter &&
               variable(*part->variable).kind == moves::Variable::Kind::Pointer &&
               values(*part->variable).size() == 1) {
      part = values(*part->variable).front();
    } else {
      break;
    }
  }
  if (part->kind != Kind::Variable || !part->variable)
    return;
  access.base = *part->variable;
  const moves::Variable &base = variable(access.base);
  const auto symbol = base.kind == moves::Variable::Kind::Pointer
                          ? std::optional(Polynomial::symbol(access.base)) // it may walk
                          : std::optional(Polynomial());
  access.subscript = subscript && symbol ? Polynomial::add(*subscript, *symbol) : std::nullopt;
  access.array = base.name + fields;
  access.isLocal = base.bytes > 0 && !base.isGlobal && !base.isParameter;
  access.isTable = base.isConstant && (base.bytes > 0 || !base.values.empty());
  accesses.push_back(std::move(access));
}

std::optional<Polynomial> Scene::form(const Expression &expression) const {
  return formOf(expression, kDeepest);
}

Polynomial Scene::opaque(const Expression &expression) const {
  std::set<VariableId> variables;
  moves::forEachExpression(expression, [&](const Expression &part) {
    if (part.variable)
      variables.insert(*part.variable);
    return true;
  });
  const std::string text =
      expression.range.isEmpty() ? std::to_string(opaque_.size()) : std::string(tree.names.slice(expression.range));
  auto found = std::ranges::find(opaque_, std::pair(text, variables));
  if (found == opaque_.end())
    found = opaque_.insert(opaque_.end(), {text, variables});
  return Polynomial::symbol(moves::Nest::kFirstOpaque + static_cast<int>(found - opaque_.begin()));
}

std::optional<Polynomial> Scene::formOf(const Expression &expression, int depth) const {
  if (expression.value)
    return Polynomial::constant(*expression.value);
  if ((expression.kind == Kind::Cast || (expression.kind == Kind::Unary && expression.op.starts_with("post"))) &&
      expression.operands.size() == 1)
    return formOf(expression.operands[0], depth);
  if (expression.kind == Kind::Variable && expression.variable) {
    const moves::Variable &own = variable(*expression.variable);
    const auto &known = values(*expression.variable);
    if (!own.isParameter && known.size() == 1 && depth > 0 && !isStep(*known.front()) &&
        !isLoopVariable(*expression.variable))
      return formOf(*known.front(), depth - 1);
    return Polynomial::symbol(*expression.variable);
  }
  if (expression.kind == Kind::Binary && expression.operands.size() == 2) {
    const bool isSum = expression.op == "+" || expression.op == "-" || expression.op == "*";
    const auto left = isSum ? formOf(expression.operands[0], depth) : std::nullopt;
    const auto right = isSum ? formOf(expression.operands[1], depth) : std::nullopt;
    if (left && right)
      return expression.op == "+"   ? Polynomial::add(*left, *right)
             : expression.op == "-" ? Polynomial::subtract(*left, *right)
                                    : Polynomial::multiply(*left, *right);
  }
  return opaque(expression);
}

bool Scene::namesIn(const SceneAccess &access, VariableId variable) const {
  return access.subscript && std::ranges::any_of(access.subscript->symbols(), [&](moves::Symbol symbol) {
           return symbol == variable ||
                  (symbol >= moves::Nest::kFirstOpaque &&
                   opaque_[static_cast<std::size_t>(symbol - moves::Nest::kFirstOpaque)].second.contains(variable));
         });
}

bool Scene::movesWith(const SceneAccess &access, int loop) const {
  if (!access.subscript || loop < 0)
    return false;
  const SceneLoop &own = loops[static_cast<std::size_t>(loop)];
  const auto isMoved = [&](VariableId id) { return own.walk.contains(id) || own.assigned.contains(id); };
  return std::ranges::any_of(access.subscript->symbols(), [&](moves::Symbol symbol) {
    if (symbol < moves::Nest::kFirstOpaque)
      return isMoved(symbol);
    return std::ranges::any_of(opaque_[static_cast<std::size_t>(symbol - moves::Nest::kFirstOpaque)].second, isMoved);
  });
}

std::optional<std::int64_t> Scene::stride(const SceneAccess &access, int loop) const {
  if (!access.subscript || loop < 0)
    return std::nullopt;
  const SceneLoop &own = loops[static_cast<std::size_t>(loop)];
  std::int64_t sum = 0;
  for (const moves::Symbol symbol : access.subscript->symbols()) {
    if (symbol >= moves::Nest::kFirstOpaque) {
      const auto &inside = opaque_[static_cast<std::size_t>(symbol - moves::Nest::kFirstOpaque)].second;
      if (std::ranges::any_of(inside,
                              [&](VariableId id) { return own.walk.contains(id) || own.assigned.contains(id); }))
        return std::nullopt;
      continue;
    }
    const auto walked = own.walk.find(symbol);
    if (walked == own.walk.end()) {
      if (own.assigned.contains(symbol) && !isLoopVariable(symbol))
        return std::nullopt;
      continue;
    }
    const auto linear = access.subscript->linearIn(symbol);
    const auto factor = linear ? linear->coefficient.asConstant() : std::nullopt;
    if (!factor || std::abs(*factor) > (std::int64_t{1} << 40) || std::abs(walked->second) > (1 << 20))
      return std::nullopt;
    sum += *factor * walked->second;
  }
  return sum;
}

} // namespace agentic::features
