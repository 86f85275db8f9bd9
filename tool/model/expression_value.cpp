#include "tool/model/expression_value.h"

#include <cmath>
#include <cstdlib>

namespace agentic {
namespace {

/// A value that keeps integers as integers: M * K of large extents must not lose its last digits.
struct Value {
  bool isInteger = true;
  std::int64_t integer = 0;
  double real = 0;
  double asReal() const { return isInteger ? static_cast<double>(integer) : real; }
  bool isTrue() const { return isInteger ? integer != 0 : real != 0; }
};

Value integerValue(std::int64_t integer) {
  return {.isInteger = true, .integer = integer};
}

std::optional<Value> nameValue(const Expression &expression, const NameValue &names) {
  const std::optional<double> value = names(expression.text, expression.kind == Expression::Kind::Size);
  if (!value)
    return std::nullopt;
  constexpr double kExact = 9007199254740992.0; // 2^53
  if (std::nearbyint(*value) == *value && std::fabs(*value) <= kExact)
    return integerValue(static_cast<std::int64_t>(*value));
  return Value{.isInteger = false, .real = *value};
}

std::optional<Value> integerResult(std::string_view op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (op == "+" || op == "-" || op == "*") {
    const bool overflows = op == "+"   ? __builtin_add_overflow(a, b, &result)
                           : op == "-" ? __builtin_sub_overflow(a, b, &result)
                                       : __builtin_mul_overflow(a, b, &result);
    return overflows ? std::nullopt : std::optional(integerValue(result));
  }
  if (op == "/" || op == "%") {
    if (b == 0 || (b == -1 && a == INT64_MIN))
      return std::nullopt;
    return integerValue(op == "/" ? a / b : a % b);
  }
  if (op == "<<" || op == ">>") {
    if (b < 0 || b > 62 || a < 0 || (op == "<<" && a > (INT64_MAX >> b)))
      return std::nullopt;
    return integerValue(op == "<<" ? a << b : a >> b);
  }
  if (op == "&")
    return integerValue(a & b);
  if (op == "|")
    return integerValue(a | b);
  if (op == "^")
    return integerValue(a ^ b);
  return std::nullopt;
}

std::optional<Value> comparison(std::string_view op, const Value &a, const Value &b) {
  const auto compare = [&](auto x, auto y) -> std::optional<Value> {
    if (op == "<")
      return integerValue(x < y);
    if (op == "<=")
      return integerValue(x <= y);
    if (op == ">")
      return integerValue(x > y);
    if (op == ">=")
      return integerValue(x >= y);
    if (op == "==")
      return integerValue(x == y);
    if (op == "!=")
      return integerValue(x != y);
    return std::nullopt;
  };
  return a.isInteger && b.isInteger ? compare(a.integer, b.integer) : compare(a.asReal(), b.asReal());
}

std::optional<Value> realResult(std::string_view op, double a, double b) {
  const double result = op == "+" ? a + b : op == "-" ? a - b : op == "*" ? a * b : op == "/" ? a / b : std::nan("");
  if (!std::isfinite(result))
    return std::nullopt;
  return Value{.isInteger = false, .real = result};
}

std::optional<Value> evaluate(const Expression &expression, const NameValue &names) {
  switch (expression.kind) {
  case Expression::Kind::Integer:
    return integerValue(std::strtoll(expression.text.c_str(), nullptr, 0));
  case Expression::Kind::Real:
    return Value{.isInteger = false, .real = std::strtod(expression.text.c_str(), nullptr)};
  case Expression::Kind::Name:
  case Expression::Kind::Size:
    return nameValue(expression, names);
  default:
    break;
  }
  const std::optional<Value> first = evaluate(expression.operands[0], names);
  if (!first)
    return std::nullopt;
  const std::string_view op = expression.text;
  if (expression.kind == Expression::Kind::Unary) {
    if (op == "!")
      return integerValue(!first->isTrue());
    return first->isInteger ? integerResult("-", 0, first->integer) : realResult("-", 0, first->real);
  }
  if (op == "&&" && !first->isTrue())
    return integerValue(0);
  if (op == "||" && first->isTrue())
    return integerValue(1);
  const std::optional<Value> second = evaluate(expression.operands[1], names);
  if (!second)
    return std::nullopt;
  if (op == "&&" || op == "||")
    return integerValue(second->isTrue());
  if (std::optional<Value> truth = comparison(op, *first, *second))
    return truth;
  if (first->isInteger && second->isInteger)
    return integerResult(op, first->integer, second->integer);
  return realResult(op, first->asReal(), second->asReal());
}

} // namespace

std::optional<double> valueOf(const Expression &expression, const NameValue &names) {
  const std::optional<Value> value = evaluate(expression, names);
  return value ? std::optional(value->asReal()) : std::nullopt;
}

} // namespace agentic
