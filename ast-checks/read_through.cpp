#include "ast-checks/read_through.h"

#include "clang/AST/ExprCXX.h"

namespace agentic::checks {
namespace {

/// Reduces `*p`, `p[i]`, `p->m`, `v.m` to p or v.
const clang::Expr *pointerBehind(const clang::Expr *lvalue) {
  for (;;) {
    lvalue = lvalue->IgnoreParens();
    if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(lvalue);
        unary && unary->getOpcode() == clang::UO_Deref)
      return unary->getSubExpr();
    if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(lvalue))
      return element->getBase();
    const auto *member = llvm::dyn_cast<clang::MemberExpr>(lvalue);
    if (!member)
      return lvalue->getType()->isPointerType() ? nullptr : lvalue;
    if (member->isArrow())
      return member->getBase();
    lvalue = member->getBase();
  }
}

bool readsOnly(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (!callee || !callee->getBuiltinID())
    return false;
  const llvm::StringRef name = callee->getName();
  return name == "__builtin_prefetch" || name == "__builtin_nontemporal_load";
}

} // namespace

void ReadThrough::add(const clang::Expr &expression) {
  reads_.insert(expression.IgnoreParens());
}

void ReadThrough::see(const clang::Stmt &statement) {
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&statement); call && readsOnly(*call)) {
    for (const clang::Expr *argument : call->arguments())
      add(*argument->IgnoreParenImpCasts());
    return;
  }
  const auto *cast = llvm::dyn_cast<clang::CastExpr>(&statement);
  if (!cast)
    return;
  const clang::QualType type = cast->getType();
  if (cast->getCastKind() == clang::CK_LValueToRValue ||
      (cast->isGLValue() && type.isConstQualified() && llvm::isa<clang::ImplicitCastExpr>(cast))) {
    if (const clang::Expr *pointer = pointerBehind(cast->getSubExpr()))
      add(*pointer);
    return;
  }
  // This covers `(const void *)(float *)p`, and arguments for a pointer to const.
  if (type->isPointerType() && type->getPointeeType().isConstQualified())
    add(*cast->getSubExpr());
}

} // namespace agentic::checks
