#include "tool/source/loops/zero_sign.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

bool isMagnitude(const Expression &call) {
  static constexpr std::array<std::string_view, 8> kNames = {
      "std::abs", "std::fabs", "std::fabsf", "std::fabsl", "fabs", "fabsf", "__builtin_fabs", "__builtin_fabsf"};
  return std::ranges::find(kNames, call.op) != kNames.end();
}

/// A sum is -0 only if both of its parts are. Fused, it keeps the sign of a product that is too small for a number.
bool isSumOfNonProducts(const Expression &sum) {
  return (sum.op == "+") &&
         std::ranges::none_of(sum.operands, [](const Expression &part) { return part.plain().op == "*"; });
}

} // namespace

bool isNeverMinusZero(const Nest &nest, const Expression &value) {
  const auto isNever = [&](const Expression &part) { return isNeverMinusZero(nest, part); };
  switch (value.kind) {
  case Kind::Literal:
    return true; // a sign is an operator
  case Kind::Cast:
    return value.operands.front().isInteger || isNever(value.operands.front());
  case Kind::Call:
    return isMagnitude(value);
  case Kind::Conditional:
    return isNever(value.operands[1]) && isNever(value.operands[2]);
  case Kind::Binary:
    return isSumOfNonProducts(value) && std::ranges::any_of(value.operands, isNever);
  case Kind::Variable: {
    const Variable &variable = nest.variable(*value.variable);
    const Expression *start = initialValue(nest, *value.variable);
    return start && variable.isFloating && variable.changes == 0 && !variable.escapes && isNever(*start);
  }
  default:
    return value.isInteger;
  }
}

} // namespace agentic::moves
