#include "tool/source/nest/ast.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include <algorithm>
#include <cctype>

namespace agentic::moves {
namespace {

/// Removes white space, so that `K/32` and `K / 32` are one symbol.
std::string squeezed(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c)))
      result += c;
  return result;
}

/// Appends all integers of an array, rows one after the other. False if there is anything else in it.
bool appendValues(const clang::APValue &value, std::size_t depth, Variable &entry) {
  if (value.isStruct() && value.getStructNumBases() == 0 && value.getStructNumFields() == 1)
    return appendValues(value.getStructField(0), depth, entry); // std::array
  if (value.isInt()) {
    const auto number = value.getInt().tryExtValue();
    if (!number || depth != entry.dimensions.size() || depth == 0)
      return false;
    entry.values.push_back(*number);
    return entry.values.size() <= Variable::kMostValues;
  }
  if (!value.isArray())
    return false;
  const unsigned size = value.getArraySize();
  if (depth == entry.dimensions.size() && entry.values.empty())
    entry.dimensions.push_back(size);
  if (depth >= entry.dimensions.size() || entry.dimensions[depth] != size)
    return false;
  for (unsigned i = 0; i < size; ++i) {
    const bool isWritten = i < value.getArrayInitializedElts();
    if (!appendValues(isWritten ? value.getArrayInitializedElt(i) : value.getArrayFiller(), depth + 1, entry))
      return false;
  }
  return true;
}

void fillValues(Variable &entry, const clang::VarDecl &variable) {
  const clang::Expr *init = variable.getAnyInitializer();
  const bool isTable = variable.getType()->isArrayType() || ownsElements(variable.getType());
  if (!init || !isTable || init->isValueDependent() || variable.getType().isVolatileQualified())
    return;
  const clang::VarDecl *definition = variable.getInitializingDeclaration();
  const clang::APValue *value = definition ? definition->evaluateValue() : nullptr;
  if (value && appendValues(*value, 0, entry))
    return;
  entry.values.clear();
  entry.dimensions.clear();
}

} // namespace

VariableId Symbols::unnamed() {
  nest_.variables.emplace_back();
  return static_cast<VariableId>(nest_.variables.size() - 1);
}

VariableId Symbols::id(const clang::VarDecl *variable) {
  variable = variable->getCanonicalDecl();
  if (const auto found = ids_.find(variable); found != ids_.end())
    return found->second;
  const VariableId id = unnamed();
  ids_[variable] = id;
  Variable &entry = nest_.variables.back();
  const clang::QualType type = variable->getType();
  const clang::PrintingPolicy &policy = context_.getPrintingPolicy();
  entry.name = variable->getNameAsString();
  entry.declaredType = type.getAsString(policy);
  const bool isDeduced = type->getContainedAutoType() != nullptr;
  entry.type = (isDeduced ? type.getCanonicalType() : type).getUnqualifiedType().getAsString(policy);
  const clang::QualType canonical = type.getCanonicalType();
  if (canonical->isArithmeticType() && !canonical.isVolatileQualified())
    entry.kind = Variable::Kind::Scalar;
  else if (canonical->isObjectPointerType() && !canonical->getPointeeType()->isArrayType())
    entry.kind = Variable::Kind::Pointer;
  clang::QualType elements;
  if (canonical->isObjectPointerType())
    elements = canonical->getPointeeType();
  else if (const auto *array = context_.getAsConstantArrayType(canonical)) {
    elements = array->getElementType();
    entry.extent = static_cast<std::int64_t>(array->getSize().getZExtValue());
    entry.bytes = context_.getTypeSizeInChars(canonical).getQuantity();
  }
  if (!elements.isNull()) {
    entry.elementType = plainType(elements).getAsString(policy);
    entry.pointsToConst = elements.isConstQualified();
  }
  entry.isFloating = canonical->isRealFloatingType();
  entry.isParameter = llvm::isa<clang::ParmVarDecl>(variable);
  entry.isGlobal = variable->hasGlobalStorage();
  const clang::QualType element = context_.getBaseElementType(canonical.getNonReferenceType());
  entry.isConstant = element.isConstQualified() || variable->isConstexpr();
  entry.isConstexpr = variable->isConstexpr();
  if (entry.isConstant)
    fillValues(entry, *variable);
  const auto changes = uses_.changes.find(variable);
  entry.changes = changes == uses_.changes.end() ? 0 : changes->second;
  entry.isMutated = isChanged(variable);
  entry.escapes = !type.isConstQualified() && uses_.escaping.contains(variable);
  return id;
}

bool Symbols::isChanged(const clang::VarDecl *variable) const {
  if (variable->getType().isConstQualified())
    return false; // anything may refer to it, such as the bound of an array
  const auto found = uses_.changes.find(variable);
  const int changes = found == uses_.changes.end() ? 0 : found->second;
  return uses_.escaping.contains(variable) || changes > (loopVariables_.contains(variable) ? 1 : 0);
}

/// Arithmetic of narrow unsigned types wraps at a size that real indices can reach: then nothing is known.
bool Symbols::wraps(const clang::Expr *expression) const {
  const clang::QualType type = expression->getType().getCanonicalType();
  return type->isUnsignedIntegerType() && context_.getTypeSize(type) < 64;
}

/// Returns whether a conversion changes no value, or only modulo the 2^64 that addresses are computed with.
bool Symbols::keepsValue(clang::QualType from, clang::QualType to) const {
  const auto fromSize = context_.getTypeSize(from), toSize = context_.getTypeSize(to);
  if (toSize < fromSize)
    return false;
  const bool fromUnsigned = from->isUnsignedIntegerOrEnumerationType();
  const bool toUnsigned = to->isUnsignedIntegerOrEnumerationType();
  return toSize >= 64 || fromUnsigned == toUnsigned || (fromUnsigned && toSize > fromSize);
}

std::optional<Polynomial> Symbols::polynomial(const clang::Expr *expression) {
  expression = expression->IgnoreParens();
  if (expression->isTypeDependent() || expression->isValueDependent())
    return std::nullopt;
  if (!expression->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  clang::Expr::EvalResult value;
  if (expression->EvaluateAsInt(value, context_, clang::Expr::SE_NoSideEffects))
    if (const auto number = value.Val.getInt().tryExtValue())
      return Polynomial::constant(*number);
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expression)) {
    const clang::Expr *inner = cast->getSubExpr();
    if (cast->getCastKind() == clang::CK_LValueToRValue || cast->getCastKind() == clang::CK_NoOp)
      return polynomial(inner);
    if (cast->getCastKind() != clang::CK_IntegralCast)
      return std::nullopt;
    return keepsValue(inner->getType(), cast->getType()) ? polynomial(inner) : opaque(cast);
  }
  if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    return variable ? ofVariable(variable, name) : std::nullopt;
  }
  if (const auto *operation = llvm::dyn_cast<clang::BinaryOperator>(expression))
    return ofBinary(operation);
  return opaque(expression);
}

/// Returns i of `(i * 2) / 2`: nothing is cut off.
std::optional<Polynomial> Symbols::exactQuotient(const clang::BinaryOperator *division) {
  const auto left = polynomial(division->getLHS()), right = polynomial(division->getRHS());
  if (!left || !right || right->asConstant().value_or(0) <= 0)
    return std::nullopt;
  const Polynomial::Division parts = left->dividedBy(*right);
  return parts.rest.isZero() ? std::optional(parts.quotient) : std::nullopt;
}

std::optional<Polynomial> Symbols::ofBinary(const clang::BinaryOperator *operation) {
  const auto opcode = operation->getOpcode();
  if (opcode == clang::BO_Div)
    if (auto quotient = exactQuotient(operation))
      return quotient;
  if (opcode != clang::BO_Add && opcode != clang::BO_Sub && opcode != clang::BO_Mul)
    return opaque(operation);
  if (wraps(operation))
    return std::nullopt;
  const auto left = polynomial(operation->getLHS()), right = polynomial(operation->getRHS());
  if (!left || !right)
    return std::nullopt;
  return opcode == clang::BO_Add   ? Polynomial::add(*left, *right)
         : opcode == clang::BO_Sub ? Polynomial::subtract(*left, *right)
                                   : Polynomial::multiply(*left, *right);
}

/// A variable that is initialised once is replaced by its initialiser, so that `row = i * K` is understood.
std::optional<Polynomial> Symbols::ofVariable(const clang::VarDecl *variable, const clang::DeclRefExpr *use) {
  variable = variable->getCanonicalDecl();
  if (variable->getType()->isReferenceType() || variable->getType().isVolatileQualified())
    return std::nullopt;
  if (isChanged(variable))
    return use && !variable->hasGlobalStorage() && !uses_.escaping.contains(variable)
               ? valueOf(variable, map_.range(use->getSourceRange()))
               : std::nullopt;
  if (variable->hasGlobalStorage() && (!variable->getType().isConstQualified() || variable->isStaticLocal()))
    return std::nullopt; // a static local keeps the value of its first initialisation
  const bool isLocal = variable->isLocalVarDecl() && !loopVariables_.contains(variable);
  if (isLocal && variable->getInit() && resolving_.insert(variable).second) {
    const auto init = polynomial(variable->getInit());
    resolving_.erase(variable);
    return init; // unknown if its initialiser is: it may read memory that changes
  }
  if (isLocal)
    return std::nullopt;
  return Polynomial::symbol(id(variable));
}

/// Divisions, shifts and the like: one symbol per text, if all its variables do not change.
std::optional<Polynomial> Symbols::opaque(const clang::Expr *expression) {
  struct Names : clang::RecursiveASTVisitor<Names> {
    std::set<const clang::VarDecl *> variables;
    bool isPlain = true;
    bool VisitExpr(clang::Expr *inner) {
      if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(inner)) {
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl()))
          variables.insert(variable->getCanonicalDecl());
      } else {
        isPlain &= llvm::isa<clang::BinaryOperator, clang::CastExpr, clang::ParenExpr, clang::IntegerLiteral>(inner);
      }
      return true;
    }
  } names;
  names.TraverseStmt(const_cast<clang::Expr *>(expression));
  const auto range = map_.range(expression->getSourceRange());
  if (!names.isPlain || !range)
    return std::nullopt;
  // The type belongs to it: an implicit conversion is not in the text, and `c` cut to 8 bits is not `c` cut to 16.
  const std::string type = expression->getType().getCanonicalType().getAsString(policy());
  Nest::Opaque entry{squeezed(nest_.slice(*range)) + " as " + type, {}};
  for (const clang::VarDecl *variable : names.variables) {
    const bool isInvariant = llvm::isa<clang::ParmVarDecl>(variable) || loopVariables_.contains(variable) ||
                             variable->getType().isConstQualified();
    if (!isInvariant || isChanged(variable) || !variable->getType()->isIntegralOrEnumerationType())
      return std::nullopt;
    if (variable->isLocalVarDecl() && !loopVariables_.contains(variable)) {
      // A local constant may itself contain a loop's variable: its text alone does not show its dependences.
      const auto meaning = ofVariable(variable, nullptr);
      if (!meaning)
        return std::nullopt;
      for (const Symbol symbol : meaning->symbols())
        addVariables(symbol, entry.variables);
    }
    entry.variables.push_back(id(variable));
  }
  return symbolFor(std::move(entry));
}

Polynomial Symbols::symbolFor(Nest::Opaque entry) {
  std::ranges::sort(entry.variables);
  for (std::size_t i = 0; i < nest_.opaque.size(); ++i)
    if (nest_.opaque[i].text == entry.text && nest_.opaque[i].variables == entry.variables)
      return Polynomial::symbol(Nest::kFirstOpaque + static_cast<Symbol>(i));
  nest_.opaque.push_back(std::move(entry));
  return Polynomial::symbol(Nest::kFirstOpaque + static_cast<Symbol>(nest_.opaque.size() - 1));
}

/// Adds the variables in a symbol.
void Symbols::addVariables(Symbol symbol, std::vector<VariableId> &variables) const {
  if (symbol < Nest::kFirstOpaque) {
    variables.push_back(symbol);
    return;
  }
  const auto &inside = nest_.opaque[static_cast<std::size_t>(symbol - Nest::kFirstOpaque)].variables;
  variables.insert(variables.end(), inside.begin(), inside.end());
}

} // namespace agentic::moves
