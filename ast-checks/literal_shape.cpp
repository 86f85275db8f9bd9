#include "ast-checks/literal_shape.h"

#include "ast-checks/context.h"

namespace agentic::checks {
namespace {

constexpr unsigned kSmallestOddLiteral = 32; // smaller ones are widths of vectors, tails, modes

/// Returns the parameter whose value or size the expression is; looks through one constant local.
const clang::ParmVarDecl *parameterBehind(const clang::Expr &expression, bool throughLocal = true) {
  const clang::Expr *written = expression.IgnoreParenCasts();
  if (const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(written); call && call->getNumArgs() == 0)
    written = call->getImplicitObjectArgument()->IgnoreParenCasts();
  while (const auto *member = llvm::dyn_cast<clang::MemberExpr>(written))
    written = member->getBase()->IgnoreParenCasts();
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(written);
  const auto *variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  if (const auto *parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(variable))
    return parameter;
  const bool isCopy = throughLocal && variable && variable->isLocalVarDecl() && variable->getType().isConstQualified();
  return isCopy && variable->getInit() ? parameterBehind(*variable->getInit(), false) : nullptr;
}

std::string literalOf(const clang::Expr &expression, const Context &context) {
  clang::Expr::EvalResult value;
  if (expression.isValueDependent() || !expression.getType()->isIntegralOrEnumerationType() ||
      !expression.EvaluateAsInt(value, context.ast()))
    return {};
  const llvm::APSInt &number = value.Val.getInt();
  const bool isLarge =
      !number.isNegative() && number.getActiveBits() <= 48 && number.getZExtValue() >= kSmallestOddLiteral;
  return isLarge ? std::to_string(number.getZExtValue()) : std::string();
}

void note(const Check &check, const clang::Expr &left, const clang::Expr &right, clang::SourceLocation at,
          Context &context) {
  const clang::ParmVarDecl *parameter = parameterBehind(left);
  const std::string literal = parameter ? literalOf(right, context) : std::string();
  if (!literal.empty())
    context.report(check, at,
                   "'" + parameter->getNameAsString() + "' is compared with " + literal +
                       ": a path for one shape needs a fallback that is right, and not slower, for all others");
}

} // namespace

void LiteralShape::statement(const clang::Stmt &statement, Context &context) {
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&statement); binary && binary->isEqualityOp()) {
    note(*this, *binary->getLHS(), *binary->getRHS(), binary->getExprLoc(), context);
    note(*this, *binary->getRHS(), *binary->getLHS(), binary->getExprLoc(), context);
    return;
  }
  const auto *choice = llvm::dyn_cast<clang::SwitchStmt>(&statement);
  if (!choice)
    return;
  for (const clang::SwitchCase *label = choice->getSwitchCaseList(); label; label = label->getNextSwitchCase())
    if (const auto *value = llvm::dyn_cast<clang::CaseStmt>(label))
      note(*this, *choice->getCond(), *value->getLHS(), value->getCaseLoc(), context);
}

} // namespace agentic::checks
