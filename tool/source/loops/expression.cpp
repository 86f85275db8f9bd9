#include "tool/source/loops/expression.h"

#include "tool/source/loops/loop_nest.h"

namespace agentic::moves {
namespace {

using Kind = Expression::Kind;
using Operation = Update::Operation;

std::optional<Operation> operationOf(std::string_view op) {
  if (op == "+" || op == "-")
    return Operation::Add;
  if (op == "*")
    return Operation::Multiply;
  if (op == "&")
    return Operation::And;
  if (op == "|")
    return Operation::Or;
  if (op == "^")
    return Operation::Xor;
  return std::nullopt;
}

bool contains(const Expression &expression, const Expression &part) {
  bool found = false;
  forEachExpression(expression, [&](const Expression &inner) {
    found |= isIdentical(inner, part);
    return !found;
  });
  return found;
}

bool isTarget(const Expression &expression) {
  return expression.isArithmetic() && expression.isPure &&
         (expression.kind == Kind::Variable || expression.kind == Kind::Element);
}

/// Returns whether a sum has the target's type: no step rounds or cuts.
bool keepsType(const Expression &target, const Expression &operation) {
  return target.type == operation.type || (target.isInteger && operation.isInteger && operation.bits >= target.bits);
}

std::optional<Update> checked(Update update) {
  const bool isPlain =
      isTarget(*update.target) && (!update.value || (update.value->isPure && !contains(*update.value, *update.target)));
  return isPlain ? std::optional(update) : std::nullopt;
}

/// Matches `s = s + x`, `s = x + s`, `s = s > x ? s : x`, `s = std::max(s, x)`.
std::optional<Update> ofAssignment(const Expression &target, const Expression &written) {
  const Expression &value = written.plain();
  if (value.kind == Kind::Binary) {
    const auto operation = operationOf(value.op);
    if (!operation || value.operands.size() != 2 || !keepsType(target, value))
      return std::nullopt;
    const bool isLeft = isIdentical(target, value.operands[0]), isRight = isIdentical(target, value.operands[1]);
    if (isLeft)
      return checked({*operation, &target, &value.operands[1], value.op == "-"});
    return isRight && value.op != "-" ? checked({*operation, &target, &value.operands[0], false}) : std::nullopt;
  }
  const bool isCall =
      value.kind == Kind::Call && value.isLibrary && value.operands.size() == 2 && value.type == target.type;
  const bool isMax = value.op == "std::max" || value.op == "std::fmax" || value.op == "fmaxf" || value.op == "fmax";
  const bool isMin = value.op == "std::min" || value.op == "std::fmin" || value.op == "fminf" || value.op == "fmin";
  if (isCall && (isMax || isMin)) {
    const bool isLeft = isIdentical(target, value.operands[0]), isRight = isIdentical(target, value.operands[1]);
    if (isLeft || isRight)
      return checked({isMax ? Operation::Max : Operation::Min, &target, &value.operands[isLeft ? 1 : 0], false});
  }
  return std::nullopt;
}

/// Matches `x > s ? x : s` and its three other forms, given as condition, then, else.
std::optional<Update> ofChoice(const Expression &target, const Expression &condition, const Expression &chosen,
                               const Expression *otherwise) {
  const Expression &compare = condition.plain();
  if (compare.kind != Kind::Binary || compare.operands.size() != 2 || compare.op.empty() ||
      (compare.op[0] != '<' && compare.op[0] != '>') || compare.op == "<<" || compare.op == ">>" || compare.op == "<=>")
    return std::nullopt;
  const Expression &left = compare.operands[0], &right = compare.operands[1];
  const bool isOnLeft = isIdentical(left, target), isOnRight = isIdentical(right, target);
  if (isOnLeft == isOnRight)
    return std::nullopt;
  const Expression &value = isOnLeft ? right : left;
  const bool takesValue = isIdentical(chosen, value) && (!otherwise || isIdentical(*otherwise, target));
  const bool keepsTarget = otherwise && isIdentical(chosen, target) && isIdentical(*otherwise, value);
  if (takesValue == keepsTarget)
    return std::nullopt;
  const bool targetIsSmaller = (compare.op[0] == '<') == isOnLeft; // when the condition holds
  return checked({takesValue == targetIsSmaller ? Operation::Max : Operation::Min, &target, &value, false});
}

} // namespace

void forEachExpression(const Expression &expression, const std::function<bool(const Expression &)> &visit) {
  if (!visit(expression))
    return;
  for (const Expression &operand : expression.operands)
    forEachExpression(operand, visit);
}

void forEachCertain(const Expression &expression, const std::function<void(const Expression &)> &visit) {
  visit(expression);
  const bool isChoice = expression.kind == Kind::Conditional || expression.op == "&&" || expression.op == "||";
  const std::size_t certain = isChoice ? 1 : expression.operands.size();
  for (std::size_t i = 0; i < std::min(certain, expression.operands.size()); ++i)
    forEachCertain(expression.operands[i], visit);
}

bool readsMemory(const Expression &expression) {
  bool reads = false;
  forEachExpression(expression, [&](const Expression &inner) {
    reads |= inner.kind == Kind::Element || inner.kind == Kind::Field || inner.kind == Kind::Other ||
             (inner.kind == Kind::Variable && !inner.isArithmetic());
    return !reads;
  });
  return reads;
}

bool mentions(const Expression &expression, VariableId variable) {
  bool found = false;
  forEachExpression(expression, [&](const Expression &inner) {
    found |= inner.variable == variable || inner.kind == Kind::Other;
    return !found;
  });
  return found;
}

std::string_view libraryName(std::string_view callee) {
  for (const std::string_view prefix : {"::", "std::", "__builtin_"})
    if (callee.starts_with(prefix))
      callee.remove_prefix(prefix.size());
  return callee;
}

bool isIdentical(const Expression &left, const Expression &right) {
  const Expression &a = left.plain(), &b = right.plain();
  if (a.kind != b.kind || a.op != b.op || a.variable != b.variable || a.value != b.value || a.type != b.type ||
      a.operands.size() != b.operands.size() || a.kind == Kind::Other || (a.kind == Kind::Literal && !a.value))
    return false;
  for (std::size_t i = 0; i < a.operands.size(); ++i)
    if (!isIdentical(a.operands[i], b.operands[i]))
      return false;
  return true;
}

bool isStep(const Expression &expression) {
  return expression.kind == Kind::Unary && (expression.op.ends_with("++") || expression.op.ends_with("--"));
}

bool isSpelledOut(const Expression &expression) {
  if (expression.range.isEmpty())
    return false;
  for (const Expression &operand : expression.operands) {
    const bool isSame = operand.range == expression.range;
    const bool mayBeSame = expression.kind == Kind::Cast && expression.isImplicit;
    if (!expression.range.contains(operand.range) || (isSame && !mayBeSame) || !isSpelledOut(operand))
      return false;
  }
  return true;
}

std::optional<Update> updateOf(const Statement &statement) {
  if (statement.branch) {
    const Branch &branch = *statement.branch;
    if (branch.hasElse || branch.thenBody.size() != 1 || !branch.thenBody[0].expression)
      return std::nullopt;
    const Expression &assign = *branch.thenBody[0].expression;
    if (assign.kind != Kind::Assign || assign.op != "=")
      return std::nullopt;
    return ofChoice(assign.operands[0], branch.condition, assign.operands[1], nullptr);
  }
  if (!statement.expression)
    return std::nullopt;
  const Expression &expression = *statement.expression;
  if (isStep(expression))
    return checked({Operation::Add, &expression.operands[0], nullptr, expression.op.ends_with("--")});
  if (expression.kind != Kind::Assign)
    return std::nullopt;
  const Expression &target = expression.operands[0], &value = expression.operands[1];
  if (expression.op != "=") {
    const auto operation = operationOf(std::string_view(expression.op).substr(0, expression.op.size() - 1));
    // `s += x` with a wider x is computed in x's type: it is a plain sum only if that rounds nothing.
    const bool isPlain = operation && (value.type == target.type || (target.isInteger && value.isInteger) ||
                                       (target.isFloating && value.isFloating && value.bits <= target.bits) ||
                                       (target.isFloating && value.isInteger));
    return isPlain ? checked({*operation, &target, &value, expression.op == "-="}) : std::nullopt;
  }
  if (value.plain().kind == Kind::Conditional && value.type == target.type)
    return ofChoice(target, value.plain().operands[0], value.plain().operands[1], &value.plain().operands[2]);
  return ofAssignment(target, value);
}

} // namespace agentic::moves
