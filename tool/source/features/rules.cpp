#include "tool/source/features/rules.h"

#include "tool/base/text.h"

#include <algorithm>

namespace agentic::features {
namespace {

using Kind = Expression::Kind;

} // namespace

const Expression &bare(const Expression &expression) {
  return expression.kind == Kind::Cast && expression.operands.size() == 1 ? bare(expression.operands.front())
                                                                          : expression;
}

bool isSame(const Expression &left, const Expression &right) {
  const Expression &a = bare(left), &b = bare(right);
  if (a.kind != b.kind || a.op != b.op || a.variable != b.variable || a.value != b.value ||
      a.operands.size() != b.operands.size() || a.kind == Kind::Other)
    return false;
  return std::ranges::equal(a.operands, b.operands, isSame);
}

bool hasPart(const Expression &expression, const std::function<bool(const Expression &)> &isMeant) {
  bool found = false;
  moves::forEachExpression(expression, [&](const Expression &part) {
    found = found || isMeant(part);
    return !found;
  });
  return found;
}

bool hasSource(const Scene &scene, const Expression &expression,
               const std::function<bool(const Expression &)> &isMeant) {
  bool found = false;
  scene.forEachSource(expression, [&](const Expression &source) { found = found || hasPart(source, isMeant); });
  return found;
}

bool isLargeNumber(const Expression &expression, std::int64_t least) {
  const auto value = bare(expression).value;
  return value && (*value > least || *value < -least);
}

bool isBinary(const Expression &expression, std::initializer_list<std::string_view> operators) {
  return expression.kind == Kind::Binary && expression.operands.size() == 2 && isOneOf(expression.op, operators);
}

bool isOperation(const Expression &expression, std::initializer_list<std::string_view> operators) {
  const std::string_view op = expression.op;
  return isBinary(expression, operators) || (expression.kind == Kind::Assign && expression.operands.size() == 2 &&
                                             isOneOf(op.substr(0, op.size() - 1), operators));
}

bool isOrder(const Expression &expression) {
  return isBinary(expression, {"<", ">", "<=", ">="});
}

bool isComparison(const Expression &expression) {
  return isOrder(expression) || isBinary(expression, {"==", "!="});
}

std::string calledName(const Expression &expression) {
  if (expression.kind != Kind::Call)
    return {};
  std::string name =
      expression.op.substr(expression.op.rfind(':') == std::string::npos ? 0 : expression.op.rfind(':') + 1);
  if (name.starts_with("__builtin_"))
    name.erase(0, 10);
  const bool hasSuffix =
      name.size() > 3 && (name.back() == 'f' || name.back() == 'l') && !isOneOf(name, {"erf", "ceil", "lgammal"});
  if (hasSuffix && expression.isLibrary)
    name.pop_back();
  return name;
}

} // namespace agentic::features
