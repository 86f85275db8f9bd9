#include "ast-checks/calls.h"

#include "ast-checks/context.h"
#include "ast-checks/function_use.h"

namespace agentic::checks {
namespace {

constexpr std::string_view kAdvice =
    "; allowed are functions of the candidate and of the kernel's own file, what the baseline calls, pure math, "
    "intrinsics and simple std algorithms";

/// A callee that is a constant: an element of a constexpr table, a template argument.
bool isConstantCallee(const clang::Expr &callee) {
  const clang::Expr *expression = callee.IgnoreParenImpCasts();
  while (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression))
    expression = element->getBase()->IgnoreParenImpCasts();
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
    expression = unary->getSubExpr()->IgnoreParenImpCasts();
  if (const auto *constant = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expression))
    expression = constant->getReplacement()->IgnoreParenImpCasts();
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
    expression = unary->getSubExpr()->IgnoreParenImpCasts();
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression);
  if (!reference)
    return false;
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  return llvm::isa<clang::FunctionDecl>(reference->getDecl()) || (variable && variable->isConstexpr());
}

} // namespace

void Calls::statement(const clang::Stmt &statement, Context &context) {
  if (auto use = functionUse(statement, context); use && use->use == Use::Unlisted) {
    context.report(*this, useLocation(statement), "use of '" + use->name + "' is not allowed" + std::string(kAdvice));
    return;
  }
  // std::invoke and its like would call it out of sight.
  const auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(&statement);
  if (cast && cast->getType()->isFunctionPointerType() &&
      (cast->getCastKind() == clang::CK_BitCast || cast->getCastKind() == clang::CK_IntegralToPointer)) {
    context.report(*this, cast->getBeginLoc(),
                   "a cast to a function pointer cannot be followed; call the function by name");
    return;
  }
  const auto *call = llvm::dyn_cast<clang::CallExpr>(&statement);
  if (!call || call->getDirectCallee() || llvm::isa<clang::CXXPseudoDestructorExpr>(call->getCallee()))
    return;
  // In a template that is judged again when instantiated.
  if (call->isTypeDependent() || call->getCallee()->isTypeDependent() || call->getCallee()->isValueDependent())
    return;
  if (!isConstantCallee(*call->getCallee()))
    context.report(*this, call->getExprLoc(), "a call through a pointer cannot be followed; call the function by name");
}

} // namespace agentic::checks
