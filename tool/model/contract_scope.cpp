#include "tool/model/contract_scope.h"

#include "tool/base/text.h"

#include <algorithm>
#include <cctype>

namespace agentic {
namespace {

using Kind = ContractParameter::Kind;

constexpr const char *kExtentForm = "write an extent with integer literals, integer parameters, + - * / % and "
                                    "parentheses: AGENTIC_IN(a, rows * columns)";
constexpr const char *kConditionForm =
    "write a condition over the kernel's parameters: AGENTIC_REQUIRES(n % 8 == 0 && scale > 0)";

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

Result<void> checkDivisor(const Expression &expression) {
  const bool divides =
      expression.kind == Expression::Kind::Binary && (expression.text == "/" || expression.text == "%");
  if (divides && isLiteralZero(expression.operands[1]))
    return userError("divides by zero", "correct the divisor");
  return {};
}

} // namespace

Result<const ContractParameter *> ContractScope::parameter(const std::string &name) const {
  std::vector<std::string> names, quoted;
  std::string meant;
  for (const ContractParameter &candidate : parameters_) {
    if (candidate.name.empty())
      continue;
    if (candidate.name == name)
      return &candidate;
    names.push_back(candidate.name);
    quoted.push_back("'" + candidate.name + "'");
    // In a short name one letter in the wrong case exceeds the edit distance that counts as near.
    if (std::ranges::equal(candidate.name, name, {}, lower, lower))
      meant = candidate.name;
  }
  if (meant.empty() && !name.empty())
    meant = didYouMean(name, names);
  return userError("names '" + name + "', which is no parameter of the kernel",
                   !meant.empty()  ? "did you mean '" + meant + "'?"
                   : names.empty() ? "give the kernel's parameters names"
                                   : "its parameters are " + join(quoted, ", "));
}

Result<void> ContractScope::checkExtent(const std::string &text) const {
  const Result<Expression> expression = parseExpression(text);
  if (!expression)
    return userError("has an extent that cannot be read: '" + text + "': " + expression.error().message, kExtentForm);
  return checkExtentNode(*expression);
}

Result<void> ContractScope::checkExtentNode(const Expression &expression) const {
  using Node = Expression::Kind;
  const bool isOperator = expression.kind == Node::Unary || expression.kind == Node::Binary;
  if (expression.kind == Node::Real)
    return userError("has the extent part " + expression.text + ", which is no integer", kExtentForm);
  if (isOperator &&
      (expression.kind == Node::Unary || std::string_view("+-*/%").find(expression.text) == std::string_view::npos))
    return userError("uses '" + expression.text + "', which an extent may not", kExtentForm);
  if (expression.kind == Node::Name || expression.kind == Node::Size) {
    const ContractParameter *found = TRY(parameter(expression.text));
    TRY(checkName(*found, expression, false));
  }
  for (const Expression &operand : expression.operands)
    TRY(checkExtentNode(operand));
  return checkDivisor(expression);
}

Result<void> ContractScope::checkName(const ContractParameter &target, const Expression &expression,
                                      bool inCondition) const {
  if (expression.kind == Expression::Kind::Size) {
    if (target.kind == Kind::Sized)
      return {};
    return userError("asks for " + expression.text + ".size(), but '" + expression.text + "' carries no size",
                     "use the integer parameter that holds its number of elements");
  }
  if (target.kind == Kind::Integer || (inCondition && (target.kind == Kind::Floating || target.kind == Kind::Boolean)))
    return {};
  return userError("uses '" + target.name + "', which is no integer" + (inCondition ? " or floating-point" : "") +
                       " parameter",
                   inCondition ? kConditionForm : kExtentForm);
}

bool ContractScope::isBoolean(const Expression &expression) const {
  if (expression.kind != Expression::Kind::Name)
    return isCondition(expression);
  const auto found = std::ranges::find(parameters_, expression.text, &ContractParameter::name);
  return found != parameters_.end() && found->kind == Kind::Boolean;
}

Result<void> ContractScope::checkConditionNode(const Expression &expression) const {
  const bool isName = expression.kind == Expression::Kind::Name;
  if (isName) {
    TRY(parameter(expression.text));
  }
  if (!isBoolean(expression))
    return userError("is no condition: it is neither true nor false", kConditionForm);
  if (isName)
    return {};
  const bool isLogical = expression.text == "&&" || expression.text == "||" || expression.text == "!";
  for (const Expression &operand : expression.operands) {
    TRY(isLogical ? checkConditionNode(operand) : checkNumber(operand, false));
  }
  return {};
}

Result<void> ContractScope::checkNumber(const Expression &expression, bool wantsInteger) const {
  using Node = Expression::Kind;
  if (isCondition(expression))
    return userError("compares the result of '" + expression.text + "', which is true or false",
                     "join conditions with &&: AGENTIC_REQUIRES(0 < n && n < m)");
  if (wantsInteger && expression.kind == Node::Real)
    return userError("uses " + expression.text + " with an operator of integers", kConditionForm);
  if (expression.kind == Node::Name || expression.kind == Node::Size) {
    const ContractParameter *found = TRY(parameter(expression.text));
    if (wantsInteger && found->kind == Kind::Floating)
      return userError("uses '" + expression.text + "', which is no integer, with an operator of integers",
                       kConditionForm);
    TRY(checkName(*found, expression, true));
  }
  const bool ofIntegers =
      expression.kind == Node::Binary && std::string_view("+-*/").find(expression.text) == std::string_view::npos;
  for (const Expression &operand : expression.operands)
    TRY(checkNumber(operand, wantsInteger || ofIntegers));
  return checkDivisor(expression);
}

Result<void> ContractScope::checkCondition(const std::string &text) const {
  const Result<Expression> expression = parseExpression(text);
  if (!expression)
    return userError("cannot be read: " + expression.error().message, kConditionForm);
  return checkConditionNode(*expression);
}

} // namespace agentic
