#include "ast-checks/address_kinds.h"

#include "clang/AST/ExprCXX.h"

namespace agentic::checks {
namespace {

using Of = AddressKind::Of;

constexpr int kMostWalks = 50;

constexpr AddressKind kNothing{Of::Nothing}, kNumber{Of::Number}, kLowBits{Of::LowBits}, kMixed{Of::Mixed};

/// What a place that may hold either of them holds.
AddressKind join(const AddressKind &one, const AddressKind &other) {
  if (one == other || other.of == Of::Nothing)
    return one;
  if (one.of == Of::Nothing)
    return other;
  return isPlain(one) && isPlain(other) ? kLowBits : kMixed;
}

/// An operation that knows nothing of addresses.
AddressKind calculated(const AddressKind &left, const AddressKind &right) {
  return isPlain(left) && isPlain(right) ? join(left, right) : kMixed;
}

AddressKind sum(const AddressKind &left, const AddressKind &right) {
  if (left.of == Of::Object && isPlain(right))
    return left;
  return right.of == Of::Object && isPlain(left) ? right : calculated(left, right);
}

AddressKind difference(const AddressKind &left, const AddressKind &right) {
  if (left.of == Of::Object && right.of == Of::Object)
    return left == right ? kLowBits : kMixed; // one of them may be aligned
  return left.of == Of::Object && isPlain(right) ? left : calculated(left, right);
}

bool isSmall(const llvm::APSInt &value) {
  return !value.isNegative() && value.getActiveBits() <= 32 && value.getZExtValue() <= kLargestAlignment;
}

/// Numbers that are loaded or returned hold no address: what would put one there is a finding itself.
AddressKind ofUnknown(clang::QualType type) {
  return type->isIntegralOrEnumerationType() || type->isFloatingType() ? kNumber : kMixed;
}

} // namespace

std::optional<llvm::APSInt> constantOf(const clang::Expr &expression, const clang::ASTContext &ast) {
  clang::Expr::EvalResult value;
  if (expression.isValueDependent() || !expression.getType()->isIntegralOrEnumerationType() ||
      !expression.EvaluateAsInt(value, ast))
    return std::nullopt;
  return value.Val.getInt();
}

AddressKinds::AddressKinds(const KernelBody &body, const clang::ASTContext &ast) : ast_(ast) {
  for (const auto &[variable, use] : body.locals()) {
    const clang::QualType type = variable->getType();
    AddressKind &kind = kinds_[variable];
    const bool isParameter = variable->getDeclContext() == &body.function() && llvm::isa<clang::ParmVarDecl>(variable);
    if (type->isArrayType() || (isParameter && type->isPointerType() && !use.isEscaped))
      kind = {Of::Object, variable};
    else if (use.isEscaped || isParameter || !(type->isPointerType() || type->isIntegralOrEnumerationType()))
      kind = ofUnknown(type);
  }
  bool isChanged = true;
  for (int walk = 0; isChanged; ++walk) {
    isChanged = false;
    for (const auto &[variable, use] : body.locals()) {
      if (variable->getType()->isArrayType())
        continue;
      AddressKind kind = kinds_[variable];
      for (const clang::Expr *definition : use.definitions)
        kind = join(kind, of(*definition));
      if (kind == kinds_[variable])
        continue;
      isChanged = true;
      kinds_[variable] = walk < kMostWalks ? kind : kMixed;
    }
  }
}

AddressKind AddressKinds::of(const clang::ValueDecl &variable) const {
  const auto *decl = llvm::dyn_cast<clang::VarDecl>(&variable);
  const auto found = decl ? kinds_.find(decl) : kinds_.end();
  return found == kinds_.end() ? ofUnknown(variable.getType()) : found->second;
}

AddressKind AddressKinds::of(const clang::Expr &expression) const {
  const clang::Expr *part = expression.IgnoreParens();
  if (const auto *whole = llvm::dyn_cast<clang::FullExpr>(part))
    return of(*whole->getSubExpr());
  if (constantOf(*part, ast_))
    return kNumber;
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(part))
    return ofCast(*cast);
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(part))
    return of(*reference->getDecl());
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(part))
    return ofUnary(*unary);
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(part))
    return ofBinary(*binary);
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(part))
    return join(of(*choice->getTrueExpr()), of(*choice->getFalseExpr()));
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(part);
      list && list->getNumInits() == 1 && list->getType()->isScalarType())
    return of(*list->getInit(0));
  return ofUnknown(part->getType());
}

AddressKind AddressKinds::ofCast(const clang::CastExpr &cast) const {
  const clang::Expr &from = *cast.getSubExpr();
  const auto isWide = [&] { return ast_.getTypeSize(cast.getType()) >= ast_.getTypeSize(ast_.VoidPtrTy); };
  switch (cast.getCastKind()) {
  case clang::CK_LValueToRValue:
  case clang::CK_NoOp:
  case clang::CK_ArrayToPointerDecay:
    return of(from);
  case clang::CK_BitCast:
    return cast.getType()->isPointerType() && from.getType()->isPointerType() ? of(from) : kMixed;
  case clang::CK_IntegralCast:
  case clang::CK_PointerToIntegral: {
    const AddressKind kind = of(from);
    return kind.of == Of::Object && !isWide() ? kMixed : kind;
  }
  case clang::CK_IntegralToPointer: {
    const AddressKind kind = of(from);
    return kind.of == Of::Object || kind.of == Of::Nothing ? kind : kMixed;
  }
  case clang::CK_IntegralToBoolean:
  case clang::CK_PointerToBoolean:
    return kNumber;
  case clang::CK_IntegralToFloating:
  case clang::CK_FloatingToIntegral:
  case clang::CK_FloatingCast:
    return isPlain(of(from)) ? of(from) : kMixed;
  default:
    return ofUnknown(cast.getType());
  }
}

AddressKind AddressKinds::ofUnary(const clang::UnaryOperator &operation) const {
  const clang::Expr &part = *operation.getSubExpr()->IgnoreParens();
  switch (operation.getOpcode()) {
  case clang::UO_Plus:
  case clang::UO_PreInc:
  case clang::UO_PreDec:
  case clang::UO_PostInc:
  case clang::UO_PostDec:
    return of(part);
  case clang::UO_Minus:
  case clang::UO_Not: {
    const AddressKind kind = of(part);
    return kind.of == Of::Object ? kMixed : kind;
  }
  case clang::UO_AddrOf:
    if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&part))
      return sum(of(*element->getBase()), of(*element->getIdx()));
    if (const auto *target = llvm::dyn_cast<clang::UnaryOperator>(&part);
        target && target->getOpcode() == clang::UO_Deref)
      return of(*target->getSubExpr());
    return kMixed;
  default:
    return ofUnknown(operation.getType());
  }
}

/// `address & 63` leaves low bits, `address & ~63` an address in the object.
AddressKind AddressKinds::masked(const AddressKind &kind, const clang::Expr &mask) const {
  const auto bits = constantOf(mask, ast_);
  if (kind.of != Of::Object || !bits)
    return kMixed;
  if (isSmall(*bits))
    return kLowBits;
  llvm::APSInt others = *bits;
  others.setIsUnsigned(true);
  others.flipAllBits();
  return isSmall(others) ? kind : kMixed;
}

AddressKind AddressKinds::remainder(const AddressKind &kind, const clang::Expr &divisor) const {
  const auto value = constantOf(divisor, ast_);
  return kind.of == Of::Object && value && isSmall(*value) && value->isPowerOf2() ? kLowBits : kMixed;
}

AddressKind AddressKinds::ofBinary(const clang::BinaryOperator &operation) const {
  if (operation.isComparisonOp() || operation.isLogicalOp())
    return operation.getOpcode() == clang::BO_Cmp ? kMixed : kNumber;
  const clang::Expr &leftSide = *operation.getLHS(), &rightSide = *operation.getRHS();
  if (operation.getOpcode() == clang::BO_Assign || operation.getOpcode() == clang::BO_Comma)
    return of(rightSide);
  const AddressKind left = of(leftSide), right = of(rightSide);
  if (left.of == Of::Nothing || right.of == Of::Nothing)
    return kNothing;
  clang::BinaryOperatorKind what = operation.getOpcode();
  if (operation.isCompoundAssignmentOp())
    what = clang::BinaryOperator::getOpForCompoundAssignment(what);
  switch (what) {
  case clang::BO_Add:
    return sum(left, right);
  case clang::BO_Sub:
    return difference(left, right);
  case clang::BO_And:
    if (isPlain(left) && isPlain(right))
      return calculated(left, right);
    return isPlain(right) ? masked(left, rightSide) : isPlain(left) ? masked(right, leftSide) : kMixed;
  case clang::BO_Rem:
    return isPlain(left) && isPlain(right) ? calculated(left, right) : remainder(left, rightSide);
  default:
    return calculated(left, right);
  }
}

} // namespace agentic::checks
