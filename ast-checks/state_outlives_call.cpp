#include "ast-checks/state_outlives_call.h"

#include "ast-checks/context.h"
#include "ast-checks/known_functions.h"
#include "ast-checks/names.h"

#include <algorithm>

namespace agentic::checks {
namespace {

constexpr std::string_view kInsteadOfState = "; use a local variable or a constexpr table";

bool hasMutableMember(const clang::CXXRecordDecl *record) {
  if (!record || !record->hasDefinition())
    return false;
  record = record->getDefinition();
  return std::ranges::any_of(record->fields(),
                             [](const clang::FieldDecl *field) {
                               return field->isMutable() || hasMutableMember(recordOf(field->getType()));
                             }) ||
         std::ranges::any_of(record->bases(), [](const clang::CXXBaseSpecifier &base) {
           return hasMutableMember(recordOf(base.getType()));
         });
}

bool isConstantTable(const clang::VarDecl &variable, clang::ASTContext &ast) {
  clang::QualType type = variable.getType();
  if (type->isReferenceType())
    return false; // checked by the caller
  clang::QualType element = ast.getBaseElementType(type);
  return (element.isConstQualified() || variable.isConstexpr()) && !element.isVolatileQualified() &&
         !hasMutableMember(recordOf(type));
}

bool isConstantInitialized(const clang::VarDecl &variable) {
  const clang::VarDecl *initializing = variable.getInitializingDeclaration();
  return initializing && initializing->getInit() && !initializing->getInit()->isValueDependent() &&
         initializing->hasConstantInitialization();
}

bool isDependent(const clang::VarDecl &variable) {
  const clang::VarDecl *initializing = variable.getInitializingDeclaration();
  return variable.getType()->isDependentType() || variable.getDeclContext()->isDependentContext() ||
         variable.getDescribedVarTemplate() ||
         (initializing && initializing->getInit() && initializing->getInit()->isValueDependent());
}

std::string storageOf(const clang::VarDecl &variable) {
  if (variable.getTSCSpec() != clang::TSCS_unspecified)
    return "thread-local variable";
  if (variable.isStaticDataMember())
    return "static member";
  return variable.isStaticLocal() ? "static variable" : "global variable";
}

/// Empty if the variable is legal.
std::string whatIsWrong(const clang::VarDecl &variable, clang::ASTContext &ast) {
  std::string name = variable.getNameAsString();
  name = name.empty() ? "unnamed " + storageOf(variable) : storageOf(variable) + " '" + name + "'";
  if (variable.getTSCSpec() != clang::TSCS_unspecified)
    return name + " keeps state between calls" + std::string(kInsteadOfState);
  bool isReference = variable.getType()->isReferenceType();
  if (!isReference && !isConstantTable(variable, ast)) {
    bool isConst = ast.getBaseElementType(variable.getType()).isConstQualified();
    if (isConst && hasMutableMember(recordOf(variable.getType())))
      return name + " has a mutable member, which keeps state between calls" + std::string(kInsteadOfState);
    return name + " keeps state between calls" + std::string(kInsteadOfState);
  }
  if (variable.isConstexpr() || isDependent(variable))
    return {};
  if (!isConstantInitialized(variable))
    return name + " is initialised at run time, which keeps state between calls; make it constexpr";
  const clang::CXXRecordDecl *record = recordOf(variable.getType());
  if (!isReference && record && record->hasDefinition() && !record->hasTrivialDestructor())
    return name + " has a destructor that runs at exit; use a local variable or a constexpr table";
  return {};
}

} // namespace

void StateOutlivesCall::declaration(const clang::Decl &decl, Context &context) {
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(&decl);
  if (!variable || llvm::isa<clang::ParmVarDecl>(variable) || !variable->hasGlobalStorage() ||
      variable->isInvalidDecl())
    return;
  std::string message = whatIsWrong(*variable, context.ast());
  if (!message.empty())
    context.report(*this, variable->getLocation(), std::move(message));
}

void StateOutlivesCall::statement(const clang::Stmt &statement, Context &context) {
  if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(&statement)) {
    // `constexpr auto &&cache = Table{};` is a constant reference to a variable that lives for ever.
    if (temporary->getStorageDuration() == clang::SD_Static || temporary->getStorageDuration() == clang::SD_Thread)
      if (!temporary->getType().isConstQualified() || hasMutableMember(recordOf(temporary->getType())))
        context.report(*this, temporary->getExprLoc(),
                       "a temporary bound to a static reference keeps state between calls" +
                           std::string(kInsteadOfState));
    return;
  }
  if (const auto *literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(&statement)) {
    if (literal->isFileScope() && !context.ast().getBaseElementType(literal->getType()).isConstQualified())
      context.report(*this, literal->getExprLoc(),
                     "a compound literal outside functions keeps state between calls" + std::string(kInsteadOfState));
    return;
  }
  const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&statement);
  const auto *variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  if (!variable || !variable->hasGlobalStorage() || context.isOwn(variable->getLocation()))
    return; // own variables are checked at their declaration
  std::string name = qualifiedName(*variable);
  if (variable->getType()->isReferenceType() || isConstantTable(*variable, context.ast()) ||
      knownVariable(name) != Known::Unlisted || std::ranges::count(context.request().allowedFunctions, name))
    return;
  context.report(*this, reference->getLocation(),
                 "'" + name + "' is a variable that others can change; pass its value as a parameter or make it const");
}

} // namespace agentic::checks
