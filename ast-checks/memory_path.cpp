#include "ast-checks/memory_path.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

#include <algorithm>

namespace agentic::checks {
namespace {

using Path = std::optional<MemoryPath>;
constexpr std::string_view kAny = "[*]";

std::string indexStep(const clang::Expr &index, const clang::ASTContext &ast) {
  clang::Expr::EvalResult value;
  if (index.isValueDependent() || !index.EvaluateAsInt(value, ast) || value.Val.getInt().getSignificantBits() > 64)
    return std::string(kAny);
  return "[" + std::to_string(value.Val.getInt().getExtValue()) + "]";
}

Path with(Path path, std::string step) {
  // After an unknown index or a change of type, parts are not distinguished.
  if (path && (path->steps.empty() || path->steps.back() != kAny))
    path->steps.push_back(std::move(step));
  return path;
}

/// Returns whether the member and each other one of its union are all of its bytes: one name for the same value.
bool isWholeUnion(const clang::MemberExpr &member, const clang::ASTContext &ast) {
  const auto *field = llvm::dyn_cast<clang::FieldDecl>(member.getMemberDecl());
  if (!field || !field->getParent()->isUnion() || field->getParent()->isInvalidDecl())
    return false;
  const clang::QualType type = field->getType();
  return std::ranges::all_of(field->getParent()->fields(), [&](const clang::FieldDecl *other) {
    const clang::QualType canonical = other->getType().getCanonicalType();
    const bool isPlain =
        canonical->isIntegralOrEnumerationType() || canonical->isVectorType() ||
        (canonical->isRealFloatingType() && !canonical->isSpecificBuiltinType(clang::BuiltinType::LongDouble));
    return isPlain && !canonical->isDependentType() && !other->isBitField() &&
           ast.getTypeSizeInChars(canonical) == ast.getTypeSizeInChars(type.getCanonicalType());
  });
}

bool isStdArray(const clang::Expr &object) {
  const clang::CXXRecordDecl *record = object.getType()->getAsCXXRecordDecl();
  return record && record->getIdentifier() && record->getName() == "array" && record->isInStdNamespace();
}

/// Matches `array[i]` of std::array: a call that only indexes.
const clang::CXXOperatorCallExpr *arrayElement(const clang::Expr &expression) {
  const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&expression);
  const bool isIndex = call && call->getOperator() == clang::OO_Subscript && call->getNumArgs() == 2;
  return isIndex && isStdArray(*call->getArg(0)) ? call : nullptr;
}

/// Returns the path of the memory that a variable of pointer type points to.
Path pathOfPointer(const clang::Expr &lvalue, const Places &places) {
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(lvalue.IgnoreParens());
  const auto *variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  if (!variable || !variable->getType().getNonReferenceType()->isPointerType())
    return std::nullopt;
  if (const auto known = places.pointers.find(variable); known != places.pointers.end())
    return known->second;
  return llvm::isa<clang::ParmVarDecl>(variable) ? Path(MemoryPath{variable, {}}) : std::nullopt;
}

} // namespace

MemoryPath reachable(MemoryPath path) {
  const auto index = std::ranges::find_if(path.steps, [](const std::string &step) { return step.starts_with('['); });
  if (index == path.steps.end())
    return path;
  path.steps.erase(index, path.steps.end());
  path.steps.emplace_back(kAny);
  return path;
}

bool MemoryPath::overlaps(const MemoryPath &other) const {
  if (variable != other.variable)
    return false;
  const std::size_t common = std::min(steps.size(), other.steps.size());
  for (std::size_t i = 0; i < common; ++i)
    if (steps[i] != other.steps[i])
      return steps[i] == kAny || other.steps[i] == kAny;
  return true;
}

std::optional<MemoryPath> pathOf(const clang::Expr &lvalue, const Places &places) {
  const clang::Expr *expression = lvalue.IgnoreParens();
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (!variable)
      return std::nullopt;
    if (variable->getType()->isReferenceType() && !llvm::isa<clang::ParmVarDecl>(variable))
      return variable->getInit() ? pathOf(*variable->getInit(), places) : std::nullopt;
    return MemoryPath{variable, {}};
  }
  if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression))
    return with(pathBehind(*element->getBase(), places), indexStep(*element->getIdx(), places.ast));
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    Path object = member->isArrow() ? pathBehind(*member->getBase(), places) : pathOf(*member->getBase(), places);
    return isWholeUnion(*member, places.ast)
               ? object
               : with(std::move(object), "." + member->getMemberDecl()->getNameAsString());
  }
  if (const auto *call = arrayElement(*expression))
    return with(pathOf(*call->getArg(0), places), indexStep(*call->getArg(1), places.ast));
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    if (unary->getOpcode() != clang::UO_Deref)
      return std::nullopt;
    Path path = pathBehind(*unary->getSubExpr(), places);
    const bool isElement = path && path->steps.empty() && !path->variable->getType()->isRecordType();
    return isElement ? with(std::move(path), "[0]") : path; // `*a` is `a[0]`
  }
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expression); cast && cast->isGLValue()) {
    Path path = pathOf(*cast->getSubExpr(), places);
    return cast->getCastKind() == clang::CK_NoOp ? path : with(std::move(path), std::string(kAny));
  }
  if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression))
    return pathOf(*temporary->getSubExpr(), places);
  return std::nullopt;
}

std::optional<MemoryPath> pathBehind(const clang::Expr &pointer, const Places &places) {
  const clang::Expr *expression = pointer.IgnoreParens();
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    if (unary->isIncrementDecrementOp())
      return pathOfPointer(*unary->getSubExpr(), places);
    return unary->getOpcode() == clang::UO_AddrOf ? pathOf(*unary->getSubExpr(), places) : std::nullopt;
  }
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expression); binary && binary->isAdditiveOp()) {
    const bool isSwapped = !binary->getLHS()->getType()->isPointerType();
    return with(pathBehind(isSwapped ? *binary->getRHS() : *binary->getLHS(), places), std::string(kAny));
  }
  if (const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(expression)) {
    const clang::CXXMethodDecl *method = call->getMethodDecl();
    const bool isData = method && method->getIdentifier() && method->getName() == "data";
    return isData && isStdArray(*call->getImplicitObjectArgument()) ? pathOf(*call->getImplicitObjectArgument(), places)
                                                                    : std::nullopt;
  }
  const auto *cast = llvm::dyn_cast<clang::CastExpr>(expression);
  if (!cast)
    return std::nullopt;
  switch (cast->getCastKind()) {
  case clang::CK_ArrayToPointerDecay:
    return pathOf(*cast->getSubExpr(), places);
  case clang::CK_NoOp:
    return pathBehind(*cast->getSubExpr(), places);
  case clang::CK_BitCast: {
    Path path = pathBehind(*cast->getSubExpr(), places);
    // A pointer to the whole variable remains one if only the type changes.
    return cast->getType()->isVoidPointerType() ? path : with(std::move(path), std::string(kAny));
  }
  case clang::CK_LValueToRValue:
    return pathOfPointer(*cast->getSubExpr(), places);
  default:
    return std::nullopt;
  }
}

} // namespace agentic::checks
