#include "ast-checks/calls.h"

#include "ast-checks/context.h"
#include "ast-checks/function_use.h"

namespace agentic::checks {
namespace {

constexpr std::string_view kAllowedCalls =
    "; allowed are functions of the candidate and of the kernel's own file, what the baseline calls, pure math, "
    "intrinsics and simple std algorithms";

/// Returns the name in `f`, `*f`, `(&f)`, `table[i]` and a template's argument.
const clang::Expr *namedIn(const clang::Expr &callee) {
  const clang::Expr *expression = callee.IgnoreParenImpCasts();
  for (;;) {
    if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression))
      expression = element->getBase()->IgnoreParenImpCasts();
    else if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
      expression = unary->getSubExpr()->IgnoreParenImpCasts();
    else if (const auto *constant = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expression))
      expression = constant->getReplacement()->IgnoreParenImpCasts();
    else
      return expression;
  }
}

/// Returns whether the callee is a constant: an element of a constexpr table, a template argument.
bool isConstantCallee(const clang::Expr &callee) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(namedIn(callee));
  if (!reference)
    return false;
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  return llvm::isa<clang::FunctionDecl>(reference->getDecl()) || (variable && variable->isConstexpr());
}

} // namespace

bool Calls::judgeUse(const clang::Stmt &statement, Context &context) const {
  const auto use = functionUse(statement, context);
  if (!use)
    return false;
  if (use->use == Use::Unlisted) {
    context.report(*this, useLocation(statement),
                   "use of '" + use->name + "' is not allowed" + std::string(kAllowedCalls));
    return true;
  }
  if (use->use == Use::Forbidden) {
    context.report(*this, useLocation(statement),
                   "use of '" + use->name + "' is forbidden by the project's policy (" + std::string(kPolicyFile) +
                       ")");
    return true;
  }
  // An address of a library must not be computed with, and the check cannot see a call through it.
  const bool isAddress = llvm::isa<clang::DeclRefExpr>(statement) && !callees_.contains(&statement);
  if (use->use != Use::Legal || !use->isLibrary || !isAddress)
    return false;
  context.report(*this, useLocation(statement),
                 "the address of '" + use->name + "' is not allowed; call it by name, in a lambda if need be");
  return true;
}

void Calls::statement(const clang::Stmt &statement, Context &context) {
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&statement))
    callees_.insert(namedIn(*call->getCallee()));
  if (judgeUse(statement, context))
    return;
  if (llvm::isa<clang::IndirectGotoStmt>(statement)) {
    context.report(*this, statement.getBeginLoc(), "a jump through a pointer cannot be followed; use switch");
    return;
  }
  // The check cannot see a call by std::invoke or the like.
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
  // A template is checked again when it is instantiated.
  if (call->isTypeDependent() || call->getCallee()->isTypeDependent() || call->getCallee()->isValueDependent())
    return;
  if (!isConstantCallee(*call->getCallee()))
    context.report(*this, call->getExprLoc(), "a call through a pointer cannot be followed; call the function by name");
}

} // namespace agentic::checks
