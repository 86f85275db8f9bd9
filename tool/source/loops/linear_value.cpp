#include "tool/source/loops/linear_value.h"

#include "tool/source/loops/writer.h"

#include <algorithm>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;
using Bound = std::optional<std::uint64_t>;

/// Returns the largest value of a type.
std::uint64_t largestOfType(const Expression &type) {
  return largestOfBits(type.isSigned ? type.bits - 1 : type.bits);
}

Bound plus(Bound left, Bound right) {
  std::uint64_t result;
  return left && right && !__builtin_add_overflow(*left, *right, &result) ? Bound(result) : std::nullopt;
}

Bound times(Bound left, std::uint64_t right) {
  std::uint64_t result;
  return left && !__builtin_mul_overflow(*left, right, &result) ? Bound(result) : std::nullopt;
}

/// Returns `value` as the result of an operation in this type.
LinearValue within(LinearValue value, const Expression &type) {
  value.bits = std::min(value.bits, type.bits);
  if (value.largest && *value.largest > largestOfType(type))
    value.largest.reset();
  if (value.isModular && !value.largest)
    value.bits = 0;
  return value;
}

LinearValue scaled(const LinearValue &value, std::uint64_t factor, bool isNegative) {
  LinearValue result = value;
  for (auto &[id, coefficient] : result.states)
    coefficient *= factor;
  for (auto &[index, coefficient] : result.inputs)
    coefficient *= factor;
  result.largest = isNegative ? std::nullopt : times(value.largest, factor);
  return result;
}

LinearValue sum(const LinearValue &left, const LinearValue &right) {
  LinearValue result = left;
  for (const auto &[id, coefficient] : right.states)
    result.states[id] += coefficient;
  for (const auto &[index, coefficient] : right.inputs)
    result.inputs[index] += coefficient;
  result.bits = std::min(left.bits, right.bits);
  result.largest = plus(left.largest, right.largest);
  result.isModular = left.isModular || right.isModular;
  return result;
}

/// Returns the operator of `target op= value`.
std::string operatorIn(const std::string &assignment) {
  return assignment.substr(0, assignment.size() - 1);
}

} // namespace

std::uint64_t largestOfBits(unsigned bits) {
  return bits >= 64 ? UINT64_MAX : (std::uint64_t(1) << bits) - 1;
}

std::optional<std::uint64_t> largestOf(const Expression &expression) {
  if (!expression.isInteger || expression.bits == 0)
    return std::nullopt;
  if (expression.value)
    return *expression.value >= 0 ? Bound(static_cast<std::uint64_t>(*expression.value)) : std::nullopt;
  Bound own = expression.isSigned ? std::nullopt : Bound(largestOfBits(expression.bits));
  const auto operand = [&](std::size_t index) { return largestOf(expression.operands[index]); };
  const auto narrower = [&](Bound found) {
    if (found && *found <= largestOfType(expression) && (!own || *found < *own))
      own = found;
  };
  if (expression.kind == Kind::Cast) {
    narrower(operand(0));
  } else if (expression.kind == Kind::Binary && expression.op == "&") {
    narrower(operand(0));
    narrower(operand(1));
  } else if (expression.kind == Kind::Binary && expression.op == "+") {
    narrower(plus(operand(0), operand(1)));
  } else if (expression.kind == Kind::Binary && expression.op == "*") {
    const Bound left = operand(0), right = operand(1);
    narrower(right ? times(left, *right) : std::nullopt);
  } else if (expression.kind == Kind::Binary && expression.op == "%") {
    const Bound divisor = operand(1);
    if (operand(0) && divisor && *divisor > 0)
      narrower(*divisor - 1);
  } else if (expression.kind == Kind::Binary && expression.op == ">>") {
    narrower(operand(0));
  }
  return own;
}

const LinearValue *LinearForm::find(VariableId variable) const {
  const auto found = values_.find(variable);
  return found == values_.end() ? nullptr : &found->second;
}

bool LinearForm::mentionsTracked(const Expression &expression) const {
  return std::ranges::any_of(values_, [&](const auto &entry) { return mentions(expression, entry.first); });
}

std::optional<LinearValue> LinearForm::failed(std::string reason) {
  problem = std::move(reason);
  return std::nullopt;
}

std::optional<LinearValue> LinearForm::input(const Expression &expression) {
  const std::string text(nest_.slice(expression.range));
  if (!expression.isPure || !expression.isInteger || expression.range.isEmpty())
    return failed("'" + text + "' is no integer that can be computed by itself");
  // `unsigned short x = wide;`: a conversion that nobody wrote cuts the value, and is not in the text.
  const bool isCut = expression.kind == Kind::Cast && expression.isImplicit &&
                     (expression.bits < expression.plain().bits || expression.type == "bool");
  const LinearInput found{isCut ? castTo(expression.type, text) : text, expression.type, expression.bits,
                          largestOf(expression)};
  const auto same = std::ranges::find_if(
      inputs, [&](const LinearInput &other) { return other.text == found.text && other.type == found.type; });
  const auto index = static_cast<std::size_t>(same - inputs.begin());
  if (same == inputs.end())
    inputs.push_back(found);
  LinearValue value{.bits = expression.bits, .largest = found.largest};
  value.inputs[index] = 1;
  return value;
}

std::optional<LinearValue> LinearForm::of(const Expression &expression) {
  if (!mentionsTracked(expression))
    return input(expression);
  const std::string text(nest_.slice(expression.range));
  if (!expression.isInteger || expression.type == "bool" || expression.bits > 64)
    return failed("'" + text + "' is no sum of integers");
  switch (expression.kind) {
  case Kind::Variable:
    return *find(*expression.variable);
  case Kind::Cast: {
    auto value = of(expression.operands.front());
    return value ? std::optional(within(std::move(*value), expression)) : std::nullopt;
  }
  case Kind::Unary: {
    const auto value = of(expression.operands.front());
    if (value && expression.op == "-")
      return within(scaled(*value, -std::uint64_t(1), true), expression);
    if (value && expression.op == "+")
      return value;
    break;
  }
  case Kind::Binary:
    return binary(expression.op, expression, expression.operands[0], expression.operands[1]);
  default:
    break;
  }
  return problem.empty() ? failed("'" + text + "' is more than a sum with constant factors") : std::nullopt;
}

std::optional<LinearValue> LinearForm::binary(const std::string &op, const Expression &type, const Expression &left,
                                              const Expression &right) {
  const auto add = [&](const Expression &value, const Expression &other,
                       bool isNegative) -> std::optional<LinearValue> {
    auto first = of(value);
    auto second = first ? of(other) : std::nullopt;
    if (!second)
      return std::nullopt;
    return within(sum(*first, isNegative ? scaled(*second, -std::uint64_t(1), true) : *second), type);
  };
  const auto multiply = [&](const Expression &value, const Expression &factor) -> std::optional<LinearValue> {
    if (auto of = this->of(value))
      return within(scaled(*of, static_cast<std::uint64_t>(*factor.value), *factor.value < 0), type);
    return std::nullopt;
  };
  if (op == "+" || op == "-")
    return add(left, right, op == "-");
  if (op == "*" && right.value)
    return multiply(left, right);
  if (op == "*" && left.value)
    return multiply(right, left);
  if (op == "<<" && right.value && *right.value >= 0 && *right.value < type.bits) {
    if (const auto value = of(left))
      return within(scaled(*value, std::uint64_t(1) << *right.value, false), type);
    return std::nullopt;
  }
  if (op == "%")
    if (const auto value = of(left))
      return remainder(*value, right);
  return problem.empty() ? failed("'" + op + "' makes more of it than a sum with constant factors") : std::nullopt;
}

std::optional<LinearValue> LinearForm::remainder(const LinearValue &value, const Expression &divisor) {
  if (!divisor.value || *divisor.value < 2)
    return failed("the divisor is not a constant above 1");
  const auto found = static_cast<std::uint64_t>(*divisor.value);
  if (modulus != 0 && modulus != found)
    return failed("there are remainders of two divisors");
  modulus = found;
  if (!value.largest)
    return failed("what the remainder is taken of may wrap");
  LinearValue result = value;
  result.largest = std::min(*value.largest, modulus - 1);
  result.isModular = true;
  return result;
}

std::optional<LinearValue> LinearForm::reducedOnce(const LinearValue &value, std::uint64_t found) {
  if (found < 2 || (modulus != 0 && modulus != found))
    return failed("there are remainders of two divisors");
  modulus = found;
  if (!value.largest || *value.largest / 2 >= modulus)
    return failed("one subtraction may leave more than a remainder");
  LinearValue result = value;
  result.largest = modulus - 1;
  result.isModular = true;
  return result;
}

std::optional<LinearValue> LinearForm::stored(const Expression &assignment) {
  const Expression &target = assignment.operands[0], &value = assignment.operands[1];
  if (assignment.op == "=") {
    auto result = of(value);
    return result ? std::optional(within(std::move(*result), target)) : std::nullopt;
  }
  // Narrow types are computed in int: what is stored is the same modulo 2^bits.
  return binary(operatorIn(assignment.op), target, target, value);
}

} // namespace agentic::moves
