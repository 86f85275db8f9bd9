#include "ast-checks/pointer_types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>

namespace agentic::checks {
namespace {

constexpr int kDeepestClass = 8; // depth of classes in classes

bool holds(clang::QualType type, int depth) {
  type = type.getCanonicalType();
  if (type->isAnyPointerType() || type->isMemberPointerType() || type->isReferenceType() || type->isFunctionType())
    return true;
  if (const clang::ArrayType *array = type->getAsArrayTypeUnsafe())
    return holds(array->getElementType(), depth);
  const clang::RecordDecl *record = type->getAsRecordDecl();
  if (!record || !record->getDefinition() || depth == kDeepestClass)
    return false;
  record = record->getDefinition();
  if (const auto *object = llvm::dyn_cast<clang::CXXRecordDecl>(record)) {
    if (object->isPolymorphic())
      return true;
    for (const clang::CXXBaseSpecifier &base : object->bases())
      if (holds(base.getType(), depth + 1))
        return true;
  }
  return std::ranges::any_of(record->fields(),
                             [&](const clang::FieldDecl *field) { return holds(field->getType(), depth + 1); });
}

} // namespace

bool holdsPointer(clang::QualType type) {
  return !type.isNull() && !type->isDependentType() && holds(type, 0);
}

clang::QualType writtenPointee(const clang::Expr &pointer) {
  // Looks through casts to void and chars and back, but an array remains an array.
  const clang::Expr *written = pointer.IgnoreParenCasts();
  const clang::QualType type = written->getType();
  if (const clang::ArrayType *array = type->getAsArrayTypeUnsafe())
    return array->getElementType();
  return type->isPointerType() ? type->getPointeeType() : clang::QualType();
}

bool isCallersVoid(const clang::Expr &pointer) {
  const clang::Expr *written = pointer.IgnoreParenCasts();
  if (!written->getType()->isVoidPointerType())
    return false;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(written))
    return llvm::isa<clang::ParmVarDecl>(reference->getDecl());
  return llvm::isa<clang::MemberExpr>(written);
}

const clang::ValueDecl *objectBehind(const clang::Expr &pointer) {
  const clang::Expr *written = pointer.IgnoreParenCasts();
  const auto *array = llvm::dyn_cast_or_null<clang::ConstantArrayType>(written->getType()->getAsArrayTypeUnsafe());
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(written);
      unary && unary->getOpcode() == clang::UO_AddrOf)
    written = unary->getSubExpr()->IgnoreParens();
  else if (!array)
    return nullptr;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(written))
    return llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  const auto *member = array && array->getSize().ugt(1) ? llvm::dyn_cast<clang::MemberExpr>(written) : nullptr;
  return member ? member->getMemberDecl() : nullptr;
}

bool isNull(const clang::Expr &expression, clang::ASTContext &ast) {
  const clang::Expr *written = expression.IgnoreParenCasts();
  return llvm::isa<clang::CXXNullPtrLiteralExpr>(written) ||
         (written->getType()->isIntegerType() && isZero(*written, ast));
}

bool isZero(const clang::Expr &expression, clang::ASTContext &ast) {
  clang::Expr::EvalResult value;
  return !expression.isValueDependent() && expression.EvaluateAsInt(value, ast) && value.Val.getInt() == 0;
}

} // namespace agentic::checks
