#include "ast-checks/fixed_arrays.h"

#include "ast-checks/context.h"
#include "ast-checks/function_use.h"
#include "ast-checks/pointer_bases.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace agentic::checks {
namespace {

/// Looks through `i + 4` in `i + 4 <= n`.
const clang::VarDecl *movedVariableOf(const clang::Expr &expression) {
  const auto *sum = llvm::dyn_cast<clang::BinaryOperator>(expression.IgnoreParenCasts());
  return variableOf(sum && sum->isAdditiveOp() ? *sum->getLHS() : expression);
}

/// Returns the kernel's parameter, if the expression is one or a constant copy of one.
const clang::ParmVarDecl *argumentOf(const clang::Expr &expression, const Context &context) {
  const clang::VarDecl *variable = variableOf(expression);
  if (variable && !llvm::isa<clang::ParmVarDecl>(variable) && variable->getType().isConstQualified() &&
      variable->getInit())
    variable = variableOf(*variable->getInit());
  const auto *parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(variable);
  const auto *function = parameter ? llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext()) : nullptr;
  return function && isKernel(*function, context) ? parameter : nullptr;
}

/// Comparisons with 0 and 1 bound nothing.
bool isBound(const clang::Expr &expression, const Context &context) {
  clang::Expr::EvalResult value;
  return !expression.isValueDependent() && expression.getType()->isIntegralOrEnumerationType() &&
         expression.EvaluateAsInt(value, context.ast()) && value.Val.getInt() > 1;
}

/// Returns whether `n <= 4096` or the like is in the baseline, perhaps in AGENTIC_REQUIRES.
bool isBoundedBy(const std::string &baseline, const std::string &name) {
  const std::vector<RawToken> tokens = lexSnippet(baseline);
  const auto isComparison = [](const RawToken &token) {
    return token.spelling == "<" || token.spelling == ">" || token.spelling == "<=" || token.spelling == ">=";
  };
  for (std::size_t i = 2; i < tokens.size(); ++i) {
    const RawToken &left = tokens[i - 2], &right = tokens[i];
    const bool isPair = (left.spelling == name && right.kind == RawToken::Kind::Number) ||
                        (right.spelling == name && left.kind == RawToken::Kind::Number);
    if (isPair && isComparison(tokens[i - 1]))
      return true;
  }
  return false;
}

constexpr const char *kElements = " elements for argument ";

std::string formOf(const clang::ParmVarDecl &argument, std::uint64_t count) {
  return std::to_string(count) + kElements + std::to_string(argument.getFunctionScopeIndex());
}

/// Returns the baseline's permission to index an array that is not larger up to the same argument; null if there is
/// none.
const Permission *permissionFor(std::string_view check, const clang::ParmVarDecl &argument, std::uint64_t count,
                                const std::vector<Permission> &permissions) {
  const std::string wanted = kElements + std::to_string(argument.getFunctionScopeIndex());
  for (const Permission &permission : permissions) {
    std::uint64_t permitted = 0;
    const char *begin = permission.form.data(), *end = begin + permission.form.size();
    const auto number = std::from_chars(begin, end, permitted);
    if (permission.check == check && number.ec == std::errc() && permitted <= count &&
        std::string_view(number.ptr, end) == wanted)
      return &permission;
  }
  return nullptr;
}

} // namespace

void FixedArrays::seeComparison(const clang::BinaryOperator &comparison, Context &context) {
  const auto side = [&](const clang::Expr &one, const clang::Expr &other) {
    if (const clang::VarDecl *variable = movedVariableOf(one)) {
      if (isBound(other, context))
        bounded_.insert(variable);
      else if (const clang::ParmVarDecl *argument = argumentOf(other, context); argument && argument != variable)
        ends_.emplace(variable, argument);
    }
    if (const clang::ParmVarDecl *argument = argumentOf(one, context); argument && isBound(other, context))
      bounded_.insert(argument);
  };
  side(*comparison.getLHS(), *comparison.getRHS());
  side(*comparison.getRHS(), *comparison.getLHS());
}

/// `std::min(n, 4096)`: whoever computes with both has thought of it.
void FixedArrays::seeCall(const clang::CallExpr &call, Context &context) {
  const auto isConstant = [&](const clang::Expr *argument) { return isBound(*argument, context); };
  if (std::ranges::any_of(call.arguments(), isConstant))
    for (const clang::Expr *argument : call.arguments())
      if (const clang::VarDecl *variable = variableOf(*argument))
        bounded_.insert(variable);
}

void FixedArrays::statement(const clang::Stmt &statement, Context &context) {
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&statement)) {
    if (binary->isComparisonOp())
      seeComparison(*binary, context);
  } else if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&statement)) {
    seeCall(*call, context);
  } else if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&statement)) {
    const clang::VarDecl *array = variableOf(*element->getBase()), *index = variableOf(*element->getIdx());
    if (!array || !index || !array->isLocalVarDecl())
      return;
    if (const auto *type = context.ast().getAsConstantArrayType(array->getType()))
      elements_.push_back({element, array, index, type->getSize().getLimitedValue()});
  }
}

void FixedArrays::finish(Context &context) {
  std::set<const clang::VarDecl *> named;
  for (const Element &element : elements_) {
    const auto end = ends_.find(element.index);
    if (end == ends_.end() || bounded_.contains(element.index) || bounded_.contains(end->second))
      continue;
    const clang::ParmVarDecl &argument = *end->second;
    const clang::QualType type = argument.getType();
    const std::string name = argument.getNameAsString();
    const bool fits = type->isIntegerType() && context.ast().getIntWidth(type) < 32 &&
                      (std::uint64_t{1} << context.ast().getIntWidth(type)) <= element.count;
    if (fits || isBoundedBy(context.request().baseline, name) || !named.insert(element.array).second)
      continue;
    if (!context.isCandidate()) { // its author knows the calls; candidates take no larger ones
      context.permit(*this, *element.expression, formOf(argument, element.count));
      continue;
    }
    if (const Permission *permission =
            permissionFor(this->name(), argument, element.count, context.request().permissions)) {
      context.use(*permission, element.expression->getExprLoc());
      continue;
    }
    context.report(*this, element.expression->getExprLoc(),
                   "'" + element.array->getNameAsString() + "' has " + std::to_string(element.count) +
                       " elements, and nothing bounds '" + name +
                       "': a larger call writes or reads behind it; work in blocks, or test '" + name +
                       " <= " + std::to_string(element.count) + "' and take another path above");
  }
}

} // namespace agentic::checks
