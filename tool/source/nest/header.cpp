#include "tool/source/nest/ast.h"

#include <algorithm>

namespace agentic::moves {
namespace {

/// Returns the variable that an expression reads or steps; an explicit cast may change what a comparison means.
const clang::VarDecl *plainVariable(const clang::Expr *expression) {
  const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
}

/// Returns the step of each round, if it is a positive constant; else 0.
std::int64_t stepOf(const clang::Expr *step, const clang::VarDecl *variable, const clang::ASTContext &context) {
  step = step ? step->IgnoreParenImpCasts() : nullptr;
  if (const auto *unary = llvm::dyn_cast_or_null<clang::UnaryOperator>(step))
    return unary->isIncrementOp() && plainVariable(unary->getSubExpr()) == variable ? 1 : 0;
  const auto *add = llvm::dyn_cast_or_null<clang::BinaryOperator>(step);
  if (!add || add->getOpcode() != clang::BO_AddAssign || plainVariable(add->getLHS()) != variable)
    return 0;
  clang::Expr::EvalResult value;
  if (add->getRHS()->isValueDependent() || !add->getRHS()->EvaluateAsInt(value, context))
    return 0;
  return std::max<std::int64_t>(0, value.Val.getInt().tryExtValue().value_or(0));
}

/// Returns c in `variable + c < …`, if nothing in it is converted; 0 for `variable < …`.
std::optional<std::int64_t> aheadOf(const clang::Expr *left, const clang::VarDecl *variable,
                                    const clang::ASTContext &context) {
  if (plainVariable(left) == variable)
    return 0;
  const auto *add = llvm::dyn_cast<clang::BinaryOperator>(left->IgnoreParenImpCasts());
  clang::Expr::EvalResult value;
  if (!add || add->getOpcode() != clang::BO_Add || plainVariable(add->getLHS()) != variable ||
      !context.hasSameUnqualifiedType(left->getType(), variable->getType()) || add->getRHS()->isValueDependent() ||
      !context.hasSameUnqualifiedType(add->getType(), variable->getType()) ||
      !add->getRHS()->EvaluateAsInt(value, context))
    return std::nullopt;
  const std::int64_t ahead = value.Val.getInt().tryExtValue().value_or(0);
  return ahead > 0 && ahead < (std::int64_t{1} << 30) ? std::optional(ahead) : std::nullopt;
}

} // namespace

CanonicalHeader canonicalHeader(const clang::ForStmt &loop, const clang::ASTContext &context) {
  CanonicalHeader header;
  const auto fail = [&](std::string problem) {
    CanonicalHeader other;
    other.name = header.name;
    other.problem = std::move(problem);
    return other;
  };
  const auto *declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(loop.getInit());
  const auto *variable = declaration && declaration->isSingleDecl()
                             ? llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl())
                             : nullptr;
  if (!variable || !variable->getInit())
    return fail("a loop does not declare and initialise its variable in its header");
  const std::string name = header.name = variable->getNameAsString();
  const clang::QualType type = variable->getType();
  if (!type->isIntegerType() || type->isBooleanType() || type->isReferenceType() || type.isVolatileQualified())
    return fail("the variable of the loop '" + name + "' is not an integer");
  header.variable = variable;
  header.lower = variable->getInit();
  const auto *condition = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getCond());
  const auto ahead = condition && condition->getOpcode() == clang::BO_LT
                         ? aheadOf(condition->getLHS(), variable, context)
                         : std::nullopt;
  if (!ahead)
    return fail("the condition of the loop '" + name + "' is not of the form '" + name + " < bound'");
  header.upper = condition->getRHS();
  header.ahead = *ahead;
  header.step = stepOf(loop.getInc(), variable, context);
  if (header.step == 0)
    return fail("the loop '" + name + "' does not step by one");
  const clang::QualType bound = header.upper->IgnoreParenImpCasts()->getType();
  if (!bound->isIntegralOrEnumerationType())
    return fail("the bound of the loop '" + name + "' is not an integer");
  const bool isWider = context.getTypeSize(bound) > context.getTypeSize(type);
  header.mayTruncateBound = isWider && bound->isSignedIntegerOrEnumerationType();
  if (type->isUnsignedIntegerType() && isWider &&
      !llvm::isa<clang::IntegerLiteral>(header.upper->IgnoreParenImpCasts()))
    return fail("the bound of the loop '" + name + "' is wider than its variable");
  if (header.ahead != 0)
    header.problem = "the condition of the loop '" + name + "' is not of the form '" + name + " < bound'";
  if (header.step != 1)
    header.problem = "the loop '" + name + "' does not step by one";
  return header;
}

} // namespace agentic::moves
