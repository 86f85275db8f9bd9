#include "ast-checks/const_casts.h"

#include "ast-checks/context.h"

namespace agentic::checks {
namespace {

/// Removes one level of pointer, of pointer to member or of array; null if there is none.
clang::QualType behind(clang::QualType type) {
  if (type->isPointerType() || type->isMemberPointerType())
    return type->getPointeeType();
  if (const clang::ArrayType *array = type->getAsArrayTypeUnsafe())
    return array->getElementType();
  return {};
}

/// Returns whether `to` drops a const that `from` has behind a pointer.
bool dropsConst(clang::QualType from, clang::QualType to) {
  for (from = behind(from), to = behind(to); !from.isNull() && !to.isNull(); from = behind(from), to = behind(to))
    if (from.isConstQualified() && !to.isConstQualified())
      return true;
  return false;
}

} // namespace

void ConstCasts::statement(const clang::Stmt &statement, Context &context) {
  reads_.see(statement);
  const auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(&statement);
  if (!cast || llvm::isa<clang::BuiltinBitCastExpr>(cast) || cast->getTypeAsWritten()->isDependentType() ||
      cast->getSubExpr()->isTypeDependent() || reads_.isOnlyRead(*cast))
    return;
  const clang::QualType from = cast->getSubExprAsWritten()->getType(), to = cast->getTypeAsWritten();
  const bool drops = to->isReferenceType()
                         ? dropsConst(from, to.getNonReferenceType()) ||
                               (from.isConstQualified() && !to.getNonReferenceType().isConstQualified())
                         : dropsConst(from, to);
  // A cast that copies a const value makes a new value.
  if (!drops || (to->isRValueReferenceType() && cast->getSubExpr()->isPRValue()))
    return;
  context.report(*this, cast->getExprLoc(),
                 "a cast from '" + from.getAsString() + "' to '" + to.getAsString() +
                     "' drops const; what is const may be read only, keep const in the cast");
}

} // namespace agentic::checks
