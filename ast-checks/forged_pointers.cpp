#include "ast-checks/forged_pointers.h"

#include "ast-checks/context.h"
#include "ast-checks/names.h"
#include "ast-checks/pointer_types.h"

namespace agentic::checks {
namespace {

constexpr std::string_view kInsteadOfForging = "; use the pointers that the kernel is given, and arrays of your own";

std::string castComplaint(const clang::CastExpr &cast, const ReadThrough &reads) {
  if (cast.getType()->isFunctionPointerType())
    return {}; // the check of calls handles those that make one
  if (cast.getCastKind() == clang::CK_IntegralToPointer)
    return "a pointer that is made of an integer (alignas aligns an array, __builtin_align_up a pointer)";
  if (!llvm::isa<clang::ExplicitCastExpr>(cast))
    return {};
  const bool isReference = cast.getCastKind() == clang::CK_LValueBitCast;
  if (cast.getCastKind() != clang::CK_BitCast && !isReference)
    return {};
  const clang::QualType to = isReference ? cast.getType() : cast.getType()->getPointeeType();
  const clang::QualType from = isReference ? cast.getSubExpr()->getType() : writtenPointee(*cast.getSubExpr());
  if (from.isNull() || to.isNull() ||
      from.getCanonicalType().getUnqualifiedType() == to.getCanonicalType().getUnqualifiedType())
    return {};
  if (holdsPointer(to) && !holdsPointer(from) && !isCallersVoid(*cast.getSubExpr()))
    return "a cast that takes other bytes for pointers";
  if (holdsPointer(from) && !holdsPointer(to) && !to->isVoidType() && !to.isConstQualified() && !reads.isOnlyRead(cast))
    return "a cast that takes a pointer for other bytes, which can then be changed";
  return {};
}

std::string callComplaint(const clang::CallExpr &call, const Context &context) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (!callee)
    return {};
  const std::string name = qualifiedName(*callee);
  if (name == "std::bit_cast" && holdsPointer(call.getType()))
    return "bit_cast to a pointer";
  const std::string_view plain = std::string_view(name).substr(name.rfind(':') + 1); // npos + 1 = 0
  if (plain.find("gather") != plain.npos || plain.find("scatter") != plain.npos)
    for (const clang::Expr *argument : call.arguments())
      if (argument->getType()->isPointerType() && isNull(*argument, context.ast()))
        return "an indexed access without a base, which takes integers for pointers";
  const bool copies = plain.ends_with("memcpy") || plain.ends_with("memmove") || plain == "__builtin_memcpy_inline";
  if (!copies && !plain.ends_with("memset"))
    return {};
  if (call.getNumArgs() < 2)
    return {};
  const clang::QualType target = writtenPointee(*call.getArg(0));
  if (target.isNull() || !holdsPointer(target))
    return {};
  if (!copies)
    return isZero(*call.getArg(1), context.ast()) ? "" : "memset on pointers";
  const clang::QualType source = writtenPointee(*call.getArg(1));
  const bool isSame = !source.isNull() &&
                      source.getCanonicalType().getUnqualifiedType() == target.getCanonicalType().getUnqualifiedType();
  return isSame ? "" : "a copy of other bytes into a pointer";
}

/// Finds `(&x)[100]`, `&x - 64`, `nullptr + n`.
std::string offsetComplaint(const clang::Expr &base, const clang::Expr &index, bool isNegated, const Context &context) {
  if (!base.getType()->isPointerType() || base.isValueDependent() || index.isValueDependent())
    return {};
  if (isNull(base, context.ast()))
    return "arithmetic on a null pointer";
  clang::Expr::EvalResult value;
  const bool isConstant = index.EvaluateAsInt(value, context.ast());
  const clang::ValueDecl *variable = objectBehind(base);
  if (!variable || variable->getType()->isIncompleteType() || variable->getType()->isDependentType() ||
      variable->getType()->isReferenceType() || variable->getType()->isVariableArrayType())
    return {};
  const clang::QualType element = base.getType()->getPointeeType();
  if (element->isIncompleteType())
    return {};
  const std::int64_t unit = context.ast().getTypeSizeInChars(element).getQuantity();
  const std::int64_t size = context.ast().getTypeSizeInChars(variable->getType()).getQuantity();
  const bool isOneOnly = unit >= size && !variable->getType()->isArrayType();
  if (!isConstant)
    return isOneOnly ? "an index on the address of '" + variable->getNameAsString() + "', which is no array" : "";
  const llvm::APSInt &offset = value.Val.getInt();
  const std::int64_t count = offset.getSignificantBits() > 40 ? INT32_MAX : offset.getExtValue() * (isNegated ? -1 : 1);
  return count < 0 || count * unit > size ? "an address outside '" + variable->getNameAsString() + "'" : "";
}

} // namespace

void ForgedPointers::declaration(const clang::Decl &decl, Context &context) {
  const auto *record = llvm::dyn_cast<clang::RecordDecl>(&decl);
  if (!record || !record->isUnion() || !record->isCompleteDefinition())
    return;
  const auto fields = record->fields();
  if (std::distance(fields.begin(), fields.end()) > 1 &&
      std::ranges::any_of(fields, [](const clang::FieldDecl *field) { return holdsPointer(field->getType()); }))
    context.report(*this, record->getLocation(),
                   "a pointer in a union can be made of anything" + std::string(kInsteadOfForging));
}

void ForgedPointers::statement(const clang::Stmt &statement, Context &context) {
  reads_.see(statement);
  std::string message;
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(&statement)) {
    if (llvm::isa<clang::BuiltinBitCastExpr>(cast) && holdsPointer(cast->getType()))
      message = "bit_cast to a pointer";
    else if (!cast->isTypeDependent() && !cast->getSubExpr()->isTypeDependent())
      message = castComplaint(*cast, reads_);
  } else if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&statement)) {
    message = callComplaint(*call, context);
  } else if (const auto *argument = llvm::dyn_cast<clang::VAArgExpr>(&statement)) {
    message = holdsPointer(argument->getType()) ? "a pointer taken from variable arguments" : "";
  } else if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&statement)) {
    message = offsetComplaint(*element->getBase(), *element->getIdx(), false, context);
  } else if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(&statement); binary && binary->isAdditiveOp()) {
    const bool isSwapped = !binary->getLHS()->getType()->isPointerType();
    message = offsetComplaint(isSwapped ? *binary->getRHS() : *binary->getLHS(),
                              isSwapped ? *binary->getLHS() : *binary->getRHS(), binary->getOpcode() == clang::BO_Sub,
                              context);
  }
  if (message.empty())
    return;
  const auto &found = llvm::cast<clang::Expr>(statement);
  message += " may lead anywhere" + std::string(kInsteadOfForging);
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(&found);
      cast && cast->getCastKind() == clang::CK_IntegralToPointer)
    context.report(*this, found, found.getExprLoc(), std::move(message));
  else
    context.report(*this, found.getExprLoc(), std::move(message));
}

} // namespace agentic::checks
