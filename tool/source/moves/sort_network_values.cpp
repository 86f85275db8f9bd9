#include "tool/source/loops/code_text.h"
#include "tool/source/loops/evaluate.h"
#include "tool/source/moves/sort_network_run.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

constexpr std::array<std::string_view, 6> kComparisons = {"<", "<=", ">", ">=", "==", "!="};

bool isComparison(const Expression &expression) {
  return expression.kind == Kind::Binary && std::ranges::find(kComparisons, expression.op) != kComparisons.end();
}

bool isCompared(const std::string &op, std::int64_t left, std::int64_t right) {
  return op == "<"    ? left < right
         : op == "<=" ? left <= right
         : op == ">"  ? left > right
         : op == ">=" ? left >= right
         : op == "==" ? left == right
                      : left != right;
}

} // namespace

std::string marked(int node) {
  return kMark + std::to_string(node) + kMark;
}

std::nullopt_t SortRun::unknown(std::string reason) {
  fail(std::move(reason));
  return std::nullopt;
}

std::optional<std::int64_t> SortRun::numberOf(const Expression &expression) {
  return evaluate(nest_, expression, [&](const Expression &part) -> std::optional<std::int64_t> {
    if (part.kind != Kind::Variable || part.value)
      return std::nullopt;
    const auto found = state_.scalars.find(*part.variable);
    const bool isNumber = found != state_.scalars.end() && found->second.kind == Value::Kind::Number;
    return isNumber ? std::optional(found->second.number) : std::nullopt;
  });
}

/// Returns the value as the type holds it.
std::optional<std::int64_t> SortRun::converted(const Expression &type, std::int64_t value) const {
  Expression cast = type, operand = type;
  cast.kind = Kind::Cast;
  cast.value.reset();
  cast.isPure = operand.isPure = true;
  cast.operands = {operand};
  return evaluate(nest_, cast, [&](const Expression &part) {
    return &part == &cast.operands.front() ? std::optional(value) : std::nullopt;
  });
}

/// Returns whether every element has the same order, and comes back as it was, in this type.
bool SortRun::holdsElements(const Expression &type) const {
  if (type.type == element_.type)
    return true;
  if (!type.isInteger || !element_.isInteger || type.type == "bool")
    return false;
  return type.isSigned == element_.isSigned ? type.bits >= element_.bits : type.isSigned && type.bits > element_.bits;
}

std::optional<std::size_t> SortRun::placeOf(const Expression &element) {
  const std::string text(nest_.slice(element.range));
  if (element.operands.size() != 2)
    return unknown("'" + text + "' is not understood");
  const auto place = valueOf(element.operands[1]);
  if (!place || place->kind != Value::Kind::Number)
    return unknown("the place of '" + text + "' is not known");
  if (place->number < 0 || place->number >= static_cast<std::int64_t>(state_.elements.size()))
    return unknown("'" + text + "' may be outside of the array");
  return static_cast<std::size_t>(place->number);
}

/// Returns n for `v + n`, `std::begin(v)`, `std::end(v)`.
std::optional<std::int64_t> SortRun::offsetOf(const Expression &pointer) {
  const Expression &plain = pointer.plain();
  if (plain.kind == Kind::Variable && plain.variable == plan_.array)
    return 0;
  if (plain.kind == Kind::Binary && plain.op == "+") {
    const auto base = offsetOf(plain.operands[0]);
    const auto distance = base ? numberOf(plain.operands[1]) : std::nullopt;
    return distance ? std::optional(*base + *distance) : std::nullopt;
  }
  const bool isBegin = plain.kind == Kind::Call && plain.op == "std::begin";
  if ((!isBegin && (plain.kind != Kind::Call || plain.op != "std::end")) || plain.operands.size() != 1 ||
      plain.operands[0].plain().kind != Kind::Variable || plain.operands[0].plain().variable != plan_.array)
    return std::nullopt;
  return isBegin ? 0 : static_cast<std::int64_t>(state_.elements.size());
}

SortRun::Value *SortRun::location(const Expression &target) {
  if (target.kind == Kind::Variable && tracked_.contains(*target.variable))
    return &state_.scalars[*target.variable];
  if (!isElementOf(target, plan_.array))
    return nullptr;
  const auto place = placeOf(target);
  return place ? &state_.elements[*place] : nullptr;
}

std::optional<SortRun::Value> SortRun::valueOf(const Expression &expression) {
  if (const auto number = numberOf(expression))
    return Value{Value::Kind::Number, *number, 0, {}};
  if (isElementOf(expression, plan_.array) ||
      (expression.kind == Kind::Variable && tracked_.contains(*expression.variable))) {
    const Value *value = location(expression);
    if (!value)
      return std::nullopt;
    if (value->kind == Value::Kind::None)
      return unknown("'" + std::string(nest_.slice(expression.range)) +
                     "' is read, which has no value or one that depends on the order");
    return *value;
  }
  if (expression.kind == Kind::Cast) {
    const auto value = valueOf(expression.operands[0]);
    if (value && value->kind == Value::Kind::Number && expression.isInteger)
      if (const auto number = converted(expression, value->number))
        return Value{Value::Kind::Number, *number, 0, {}};
    if (value && value->kind == Value::Kind::Node && holdsElements(expression))
      return value;
    return value ? residualOf(expression) : std::nullopt;
  }
  if (expression.kind == Kind::Unary && !expression.isPure)
    return valueOfUnary(expression);
  if (expression.kind == Kind::Conditional) {
    const std::string problem = problem_;
    const auto condition = conditionOf(expression.operands[0]);
    if (condition && condition->known)
      return valueOf(expression.operands[*condition->known ? 1 : 2]);
    const auto left = condition ? valueOf(expression.operands[1]) : std::nullopt;
    const auto right = left ? valueOf(expression.operands[2]) : std::nullopt;
    if (right)
      if (const auto value = merged(*condition, *left, *right))
        return value;
    problem_ = problem;
  }
  if (expression.kind == Kind::Call && (expression.op == "std::min" || expression.op == "std::max") &&
      expression.operands.size() == 2) {
    const auto left = valueOf(expression.operands[0]), right = valueOf(expression.operands[1]);
    if (left && right && left->kind == Value::Kind::Node && right->kind == Value::Kind::Node)
      return merged(*compared(expression.op == "std::min" ? "<" : ">", left->node, right->node), *left, *right);
  }
  return residualOf(expression);
}

/// `++j` and the like.
std::optional<SortRun::Value> SortRun::valueOfUnary(const Expression &expression) {
  const Expression &target = expression.operands[0];
  if (!isStep(expression))
    return residualOf(expression);
  if (target.kind != Kind::Variable || !tracked_.contains(*target.variable))
    return residualOf(expression);
  Value &scalar = state_.scalars[*target.variable];
  const auto next = scalar.kind == Value::Kind::Number
                        ? converted(target, scalar.number + (expression.op.ends_with("++") ? 1 : -1))
                        : std::nullopt;
  if (!next)
    return unknown("'" + std::string(nest_.slice(expression.range)) + "' is not known");
  const Value before = scalar;
  scalar.number = *next;
  return expression.op.starts_with("post") ? before : scalar;
}

/// Returns the text of whatever else it is, which is evaluated where it stands.
std::optional<SortRun::Value> SortRun::residualOf(const Expression &expression) {
  std::vector<Edit> edits;
  if (!addEdits(expression, edits))
    return std::nullopt;
  const auto text = textOf(expression.range, std::move(edits));
  return text ? std::optional(Value{Value::Kind::Name, 0, 0, *text}) : std::nullopt;
}

/// Adds the edits that put what is known in the place of what is tracked.
bool SortRun::addEdits(const Expression &expression, std::vector<Edit> &edits) {
  bool isFine = true;
  forEachExpression(expression, [&](const Expression &part) {
    const bool isChanged = part.kind == Kind::Assign || (part.kind == Kind::Unary && !part.isPure);
    const Expression *changed = isChanged ? &part.operands[0] : nullptr;
    if (changed && changed->kind == Kind::Element)
      changed = &changed->operands[0].plain();
    const bool isUnclear = part.kind == Kind::Other || (part.kind == Kind::Call && !part.isPure);
    if ((changed && changed->kind == Kind::Variable && isTracked(*changed->variable)) ||
        (isUnclear && mentionsTracked(nest_.slice(part.range))))
      isFine = refuse("'" + std::string(nest_.slice(part.range)) + "' is not understood here");
    const bool isElement = isElementOf(part, plan_.array);
    const bool isScalar = part.kind == Kind::Variable && tracked_.contains(*part.variable);
    if (!isFine || (!isElement && !isScalar))
      return isFine;
    const std::string_view text = nest_.slice(part.range);
    const std::string &name = nest_.variable(isElement ? plan_.array : *part.variable).name;
    const bool isWritten = isElement ? findName(text, name) == 0 && text.ends_with("]") : text == name;
    if (!isWritten) {
      isFine = refuse("'" + std::string(text) + "' comes from a macro");
      return false;
    }
    const auto value = valueOf(part);
    isFine = value.has_value();
    if (!isFine)
      return false;
    std::string replacement = value->kind == Value::Kind::Node     ? marked(value->node)
                              : value->kind == Value::Kind::Number ? std::to_string(value->number)
                                                                   : value->name;
    if (value->kind == Value::Kind::Number && (value->number < 0 || part.type != "int"))
      replacement = part.type == "int" ? "(" + replacement + ")" : castTo(part.type, replacement);
    if (value->kind == Value::Kind::Node && part.type != element_.type)
      replacement = castTo(part.type, replacement);
    edits.push_back({part.range, replacement});
    return false;
  });
  return isFine;
}

std::optional<std::string> SortRun::textOf(Range range, std::vector<Edit> edits) {
  if (range.isEmpty())
    return unknown("a macro writes a part of it");
  std::ranges::sort(edits, {}, [](const Edit &edit) { return edit.range.begin; });
  edits.erase(std::ranges::unique(edits, {}, [](const Edit &edit) { return edit.range.begin; }).begin(), edits.end());
  std::vector<Edit> removed = edits;
  for (Edit &edit : removed)
    edit.text = "0";
  if (mentionsTracked(applyEdits(nest_.text, range, removed)))
    return unknown("'" + std::string(nest_.slice(range)) + "' uses '" + nest_.variable(plan_.array).name +
                   "' or what belongs to it in another way");
  return applyEdits(nest_.text, range, edits);
}

std::optional<SortRun::Condition> SortRun::conditionOf(const Expression &expression) {
  const Expression &plain = expression.plain();
  if (const auto number = numberOf(plain))
    return Condition{*number != 0, false, 0, 0};
  if (plain.kind == Kind::Unary && plain.op == "!") {
    auto condition = conditionOf(plain.operands[0]);
    if (condition && condition->known)
      condition->known = !*condition->known;
    else if (condition)
      condition->isSmaller = !condition->isSmaller;
    return condition;
  }
  if (plain.kind == Kind::Binary && (plain.op == "&&" || plain.op == "||")) {
    const auto left = conditionOf(plain.operands[0]);
    if (!left)
      return std::nullopt;
    if (left->known)
      return *left->known == (plain.op == "&&") ? conditionOf(plain.operands[1]) : left;
  }
  if (isComparison(plain)) {
    const auto left = valueOf(plain.operands[0]), right = left ? valueOf(plain.operands[1]) : std::nullopt;
    if (!right)
      return std::nullopt;
    if (left->kind == Value::Kind::Number && right->kind == Value::Kind::Number)
      return Condition{isCompared(plain.op, left->number, right->number), false, 0, 0};
    if (left->kind == Value::Kind::Node && right->kind == Value::Kind::Node)
      return compared(plain.op, left->node, right->node);
  }
  return unknown("'" + std::string(nest_.slice(expression.range)) + "' does not just compare values that are sorted");
}

std::optional<SortRun::Condition> SortRun::compared(const std::string &op, int left, int right) {
  if (left == right)
    return Condition{isCompared(op, 0, 0), false, 0, 0};
  if (!trial_.empty()) {
    if (left != inserted_ && right != inserted_)
      comparesOthers_ = true;
    // `other > inserted` and its negation take equal values for inserted behind; the others for in front.
    const bool isStrict = op == "<" || op == ">";
    const bool isGreater = (op[0] == '>') == (right == inserted_);
    orientations_.insert(isStrict == isGreater);
    if (op == "==" || op == "!=")
      orientations_ = {false, true};
    return Condition{isCompared(op, trial_.at(left), trial_.at(right)), false, 0, 0};
  }
  if (op == "==" || op == "!=")
    return unknown("values that are sorted are compared by '" + op + "'");
  return Condition{std::nullopt, op[0] == '<', left, right};
}

/// Returns the value after a condition chose `left` or else `right`. Equal values are the same whichever it chose.
std::optional<SortRun::Value> SortRun::merged(const Condition &condition, const Value &left, const Value &right) {
  if (condition.known)
    return *condition.known ? left : right;
  if (left == right)
    return left;
  if (left.kind == Value::Kind::None || right.kind == Value::Kind::None)
    return Value{};
  if (left.kind != Value::Kind::Node || right.kind != Value::Kind::Node)
    return std::nullopt;
  const bool isAsCompared = left.node == condition.left && right.node == condition.right;
  if (!isAsCompared && (left.node != condition.right || right.node != condition.left))
    return std::nullopt;
  const int node = condition.isSmaller == isAsCompared ? plan_.graph.smaller(left.node, right.node)
                                                       : plan_.graph.larger(left.node, right.node);
  return Value{Value::Kind::Node, 0, node, {}};
}

} // namespace agentic::moves
