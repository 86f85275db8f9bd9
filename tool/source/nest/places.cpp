// Where pointers lead: the array that each comes from, and how far into it.
#include "tool/source/nest/ast.h"

namespace agentic::moves {
namespace {

bool isPlainCast(clang::CastKind kind) {
  return kind == clang::CK_LValueToRValue || kind == clang::CK_NoOp || kind == clang::CK_ArrayToPointerDecay;
}

/// Returns the element in `&a[i]`; null for anything else.
const clang::ArraySubscriptExpr *addressedElement(const clang::Expr *pointer) {
  const auto *address = llvm::dyn_cast<clang::UnaryOperator>(pointer);
  return address && address->getOpcode() == clang::UO_AddrOf
             ? llvm::dyn_cast<clang::ArraySubscriptExpr>(address->getSubExpr()->IgnoreParens())
             : nullptr;
}

/// Returns the pointer in `p + i`, `i + p` and `p - i`.
const clang::Expr *pointerOperand(const clang::BinaryOperator &operation) {
  return operation.getLHS()->getType()->isPointerType() ? operation.getLHS() : operation.getRHS();
}

} // namespace

bool ownsElements(clang::QualType type) {
  const auto *record = type->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && (record->getName() == "vector" || record->getName() == "array");
}

const clang::CXXOperatorCallExpr *containerElement(const clang::Expr *source) {
  const auto *element = llvm::dyn_cast<clang::CXXOperatorCallExpr>(source);
  if (!element || element->getOperator() != clang::OO_Subscript || element->getNumArgs() != 2)
    return nullptr;
  return isContainer(element->getArg(0)->getType()) ? element : nullptr;
}

void Symbols::addLoop(std::optional<Range> range, const clang::VarDecl *variable) {
  if (variable)
    loopVariables_.insert(variable->getCanonicalDecl());
  areLoopsKnown_ &= range.has_value();
  if (range)
    loops_.push_back({*range, variable ? variable->getCanonicalDecl() : nullptr});
}

Symbols::Place Symbols::advanced(Place place, const clang::Expr *index) {
  const auto offset = polynomial(index);
  place.subscript = place.subscript && offset ? Polynomial::add(*place.subscript, *offset) : std::nullopt;
  return place;
}

/// `a[i]` of an array of arrays: row i begins i rows on, in elements.
Symbols::Place Symbols::rowPlace(const clang::ArraySubscriptExpr &row) {
  const auto *type = context_.getAsConstantArrayType(row.getType());
  Place result = advanced(place(row.getBase()), row.getIdx());
  if (!type || !result.subscript)
    return {result.base, std::nullopt};
  result.subscript = Polynomial::multiply(
      *result.subscript, Polynomial::constant(static_cast<std::int64_t>(type->getSize().getZExtValue())));
  return result;
}

Symbols::Place Symbols::place(const clang::Expr *pointer) {
  pointer = pointer->IgnoreParens();
  if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(pointer)) {
    const auto kind = cast->getCastKind();
    if (kind == clang::CK_ArrayToPointerDecay)
      if (const auto *row = llvm::dyn_cast<clang::ArraySubscriptExpr>(cast->getSubExpr()->IgnoreParens()))
        return rowPlace(*row);
    return isPlainCast(kind) ? place(cast->getSubExpr()) : Place{};
  }
  if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(pointer)) {
    const bool isSum = operation->getOpcode() == clang::BO_Add;
    if (!isSum && operation->getOpcode() != clang::BO_Sub)
      return {};
    const clang::Expr *moved = pointerOperand(*operation);
    Place result = place(moved);
    const clang::Expr *index = moved == operation->getLHS() ? operation->getRHS() : operation->getLHS();
    if (isSum)
      return advanced(result, index);
    const auto offset = polynomial(index);
    result.subscript = result.subscript && offset ? Polynomial::subtract(*result.subscript, *offset) : std::nullopt;
    return result;
  }
  if (const clang::ArraySubscriptExpr *element = addressedElement(pointer))
    return advanced(place(element->getBase()), element->getIdx());
  const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(pointer);
  const auto *variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (!variable)
    return {};
  variable = variable->getCanonicalDecl();
  const clang::QualType type = variable->getType();
  if (type->isReferenceType() || type->isRecordType()) {
    // Arguments are disjoint. A local reference or view names memory that has another name, too.
    const bool isOwn = llvm::isa<clang::ParmVarDecl>(variable) || ownsElements(type);
    return isOwn ? Place{id(variable), Polynomial()} : Place{};
  }
  if (type->isArrayType())
    return {id(variable), Polynomial()};
  return type->isPointerType() && !variable->hasGlobalStorage() ? placeOf(variable, name) : Place{};
}

std::optional<Polynomial> Symbols::guardedBound(const clang::Expr *bound) {
  const auto widens = [&](const clang::Expr *from, const clang::Expr *to) {
    return from->getType()->isIntegerType() && to->getType()->isIntegerType() &&
           keepsValue(from->getType(), to->getType());
  };
  const clang::Expr *inside = bound->IgnoreParenImpCasts();
  const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(inside);
  const auto *variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (!variable || !variable->isLocalVarDecl() || !variable->getType().isConstQualified() || !variable->getInit() ||
      !widens(inside, bound))
    return std::nullopt;
  const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(variable->getInit()->IgnoreParenImpCasts());
  const auto *condition =
      choice ? llvm::dyn_cast<clang::BinaryOperator>(choice->getCond()->IgnoreParenImpCasts()) : nullptr;
  if (!condition || condition->getOpcode() != clang::BO_GE || !widens(choice, inside))
    return std::nullopt;
  const auto otherwise = polynomial(choice->getFalseExpr()), least = polynomial(condition->getRHS());
  const auto tested = polynomial(condition->getLHS()), value = polynomial(choice->getTrueExpr());
  const auto difference = tested && value ? Polynomial::subtract(*tested, *value) : std::nullopt;
  if (!otherwise || otherwise->asConstant() != 0 || !least || !least->asConstant() || !difference ||
      !difference->asConstant())
    return std::nullopt;
  return value;
}

Symbols::Place Symbols::placeOf(const clang::VarDecl *pointer, const clang::DeclRefExpr *name) {
  const bool moves = isChanged(pointer);
  if (!moves && llvm::isa<clang::ParmVarDecl>(pointer))
    return {id(pointer), Polynomial()};
  Place result;
  if (!moves && pointer->getInit() && resolving_.insert(pointer).second) {
    result = place(pointer->getInit());
    resolving_.erase(pointer);
  }
  if (!result.base) {
    std::set<const clang::VarDecl *> seen;
    std::set<VariableId> roots;
    if (!addRoots(pointer, seen, roots) || roots.size() != 1)
      return {};
    result = {*roots.begin(), std::nullopt};
  }
  if (!result.subscript)
    result.subscript = valueOf(pointer, map_.range(moves ? name->getSourceRange() : pointer->getSourceRange()));
  return result;
}

/// Adds the parameters and arrays from which a pointer may come: a pointer that moves stays in its array. Returns false
/// if it may come from anywhere else.
bool Symbols::addRoots(const clang::VarDecl *pointer, std::set<const clang::VarDecl *> &seen,
                       std::set<VariableId> &roots) {
  const bool mayChangeUnseen = uses_.escaping.contains(pointer) && !pointer->getType().isConstQualified();
  if (!pointer->getType()->isPointerType() || pointer->hasGlobalStorage() || mayChangeUnseen)
    return false;
  if (!seen.insert(pointer).second)
    return true;
  if (llvm::isa<clang::ParmVarDecl>(pointer))
    roots.insert(id(pointer));
  else if (pointer->getInit() && !addRoots(pointer->getInit(), seen, roots))
    return false;
  const auto moves = uses_.changedBy.find(pointer);
  if (moves == uses_.changedBy.end())
    return true;
  for (const clang::Expr *move : moves->second)
    if (const auto *assignment = llvm::dyn_cast<clang::BinaryOperator>(move);
        assignment && assignment->getOpcode() == clang::BO_Assign && !addRoots(assignment->getRHS(), seen, roots))
      return false;
  return true;
}

bool Symbols::addRoots(const clang::Expr *pointer, std::set<const clang::VarDecl *> &seen,
                       std::set<VariableId> &roots) {
  pointer = pointer->IgnoreParens();
  if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(pointer))
    return cast->getCastKind() == clang::CK_NullToPointer ||
           (isPlainCast(cast->getCastKind()) && addRoots(cast->getSubExpr(), seen, roots));
  if (const auto *row = llvm::dyn_cast<clang::ArraySubscriptExpr>(pointer))
    return row->getType()->isArrayType() && addRoots(row->getBase(), seen, roots);
  if (const clang::ArraySubscriptExpr *element = addressedElement(pointer))
    return addRoots(element->getBase(), seen, roots);
  if (const auto *step = llvm::dyn_cast<clang::UnaryOperator>(pointer))
    return step->isIncrementDecrementOp() && addRoots(step->getSubExpr(), seen, roots);
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(pointer))
    return addRoots(choice->getTrueExpr(), seen, roots) && addRoots(choice->getFalseExpr(), seen, roots);
  if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(pointer))
    return operation->isCommaOp()        ? addRoots(operation->getRHS(), seen, roots)
           : operation->isAssignmentOp() ? addRoots(operation->getLHS(), seen, roots)
           : operation->isAdditiveOp()   ? addRoots(pointerOperand(*operation), seen, roots)
                                         : false;
  const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(pointer);
  const auto *variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (!variable)
    return false;
  variable = variable->getCanonicalDecl();
  if (!variable->getType()->isArrayType())
    return addRoots(variable, seen, roots);
  roots.insert(id(variable));
  return true;
}

/// Returns a symbol for a number, or for how far a pointer is in its array: it stays the same while a loop runs that
/// does not change the variable, and in each iteration of the loops around that it may be another one. Nullopt where
/// nothing of that kind is known.
std::optional<Polynomial> Symbols::valueOf(const clang::VarDecl *variable, std::optional<Range> use) {
  if (!use || !areLoopsKnown_)
    return std::nullopt;
  Nest::Opaque entry{variable->getNameAsString(), {id(variable)}, true};
  const bool changes = isChanged(variable);
  for (const LoopPlace &loop : loops_) {
    if (!loop.range.contains(*use))
      continue;
    if (changes && !isChangedIn(variable, loop.range)) {
      entry.text += " in the loop at " + std::to_string(loop.range.begin);
      return symbolFor(std::move(entry));
    }
    if (loop.variable)
      entry.variables.push_back(id(loop.variable));
  }
  return changes ? std::nullopt : std::optional(symbolFor(std::move(entry)));
}

bool Symbols::isChangedIn(const clang::VarDecl *variable, Range loop) const {
  const auto changes = uses_.changedBy.find(variable);
  if (changes == uses_.changedBy.end())
    return true;
  for (const clang::Expr *change : changes->second)
    if (const auto range = map_.range(change->getSourceRange()); !range || loop.contains(*range))
      return true;
  return false;
}

} // namespace agentic::moves
