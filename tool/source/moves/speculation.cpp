#include "tool/source/moves/speculation.h"

#include <algorithm>
#include <array>
#include <bit>

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;

constexpr std::array<std::string_view, 12> kPlainFunctions = {
    "sqrt", "sqrtf", "fabs", "fabsf", "fmax", "fmaxf", "fmin", "fminf", "fma", "std::sqrt", "std::fabs", "std::abs"};

bool isSignedInteger(const Expression &expression) {
  return expression.isInteger && expression.isSigned;
}

/// Returns m so that every value of an integer is in [-2^m, 2^m), by its type and by how it is made.
unsigned magnitudeBits(const Expression &expression) {
  const Expression &plain = expression.plain();
  if (plain.value)
    return static_cast<unsigned>(std::bit_width(*plain.value < 0 ? 0 - static_cast<std::uint64_t>(*plain.value)
                                                                 : static_cast<std::uint64_t>(*plain.value)));
  const unsigned ofType = plain.bits - (plain.isSigned ? 1 : 0);
  const auto of = [&](std::size_t operand) {
    const Expression &part = plain.operands[operand];
    return part.plain().isInteger ? magnitudeBits(part) : ofType;
  };
  unsigned made = ofType;
  if (plain.kind == Kind::Conditional)
    made = std::max(of(1), of(2));
  else if (plain.kind == Kind::Cast && plain.operands[0].isInteger && (plain.isSigned || !plain.operands[0].isSigned))
    made = of(0);
  else if (plain.kind == Kind::Binary && (plain.op == "+" || plain.op == "-"))
    made = std::max(of(0), of(1)) + 1;
  else if (plain.kind == Kind::Binary && plain.op == "*")
    made = of(0) + of(1) + 1;
  else if (plain.kind == Kind::Binary && plain.op == "&" && plain.operands[1].value.value_or(-1) >= 0)
    made = of(1);
  return std::min(ofType, made);
}

/// Sums and products of what was promoted from narrow types stay far from the limits of int.
bool mayOverflow(const Expression &expression) {
  if (!isSignedInteger(expression) || expression.value)
    return false;
  const Expression &left = expression.operands[0], &right = expression.operands[1];
  const unsigned more = expression.op == "*" ? magnitudeBits(left) + magnitudeBits(right)
                                             : std::max(magnitudeBits(left), magnitudeBits(right));
  return !left.plain().isInteger || !right.plain().isInteger || more + 1 > expression.bits - 1;
}

std::string whyNotSpeculativeBinary(const std::string &text, const Expression &expression, const std::string &where) {
  const std::string &op = expression.op;
  const Expression &left = expression.operands[0], &right = expression.operands[1];
  const bool isInteger = left.isInteger && right.isInteger;
  if (op == ",")
    return "'" + text + "' has two values";
  if (isInteger && (op == "/" || op == "%") && right.value.value_or(0) <= 0)
    return "the integer division '" + text + "' could trap " + where;
  if (op == "<<" || op == ">>") {
    const bool isInRange = right.value && *right.value >= 0 && *right.value < static_cast<std::int64_t>(left.bits);
    if (!isInRange || (op == "<<" && isSignedInteger(left)))
      return "the shift '" + text + "' could be undefined " + where;
  }
  if ((op == "+" || op == "-" || op == "*") && mayOverflow(expression))
    return "the signed '" + text + "' could overflow " + where;
  return {};
}

} // namespace

std::string whyNotSpeculative(const Nest &nest, const Expression &expression, const std::string &where,
                              const WhyNotRead &whyNotRead) {
  const std::string text(nest.slice(expression.range));
  if (expression.range.isEmpty())
    return "a part of the inner loop comes from a macro";
  if (!expression.isPure)
    return "'" + text + "' has a side effect";
  std::string reason;
  switch (expression.kind) {
  case Kind::Literal:
    return {};
  case Kind::Variable: {
    const Variable &variable = nest.variable(*expression.variable);
    if (variable.kind != Variable::Kind::Scalar || variable.escapes || (variable.isGlobal && !variable.isConstant))
      return "'" + variable.name + "' is no plain local number";
    return {};
  }
  case Kind::Element:
  case Kind::Field:
    return whyNotRead(expression);
  case Kind::Binary:
    reason = whyNotSpeculativeBinary(text, expression, where);
    break;
  case Kind::Unary:
    if (expression.op == "-" && isSignedInteger(expression) && !expression.value)
      reason = "the signed '" + text + "' could overflow " + where;
    break;
  case Kind::Cast:
    if (!expression.isArithmetic() || !expression.operands[0].isArithmetic())
      reason = "'" + text + "' is no number";
    else if (expression.operands[0].isFloating && expression.isInteger && expression.type != "bool")
      reason = "the conversion of '" + text + "' could leave its type " + where;
    break;
  case Kind::Call:
    if (!expression.isFloating || !expression.isLibrary ||
        std::ranges::find(kPlainFunctions, expression.op) == kPlainFunctions.end())
      reason = "the call '" + text + "' " + where;
    break;
  case Kind::Conditional:
    break;
  default:
    return "'" + text + "' is not understood";
  }
  for (const Expression &operand : expression.operands)
    if (reason.empty())
      reason = whyNotSpeculative(nest, operand, where, whyNotRead);
  return reason;
}

} // namespace agentic::moves
