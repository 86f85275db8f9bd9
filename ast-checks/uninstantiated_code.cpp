#include "ast-checks/uninstantiated_code.h"

#include "ast-checks/context.h"

#include "clang/AST/ExprConcepts.h"

#include <algorithm>

namespace agentic::checks {
namespace {

/// Returns whether the name is looked up only when the template is instantiated.
bool isUnresolvedName(const clang::Expr &expression) {
  if (const auto *overload = llvm::dyn_cast<clang::UnresolvedLookupExpr>(&expression))
    return overload->decls().empty();
  return llvm::isa<clang::CXXDependentScopeMemberExpr, clang::DependentScopeDeclRefExpr>(expression);
}

bool isPlainValue(const clang::Expr &expression) {
  return llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CXXBoolLiteralExpr>(
      expression.IgnoreParenImpCasts());
}

/// Returns whether the rules on calls and casts cannot judge it before types are known.
bool isUnjudged(const clang::Stmt &statement) {
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&statement))
    return isUnresolvedName(*call->getCallee()->IgnoreParenImpCasts());
  if (const auto *made = llvm::dyn_cast<clang::CXXUnresolvedConstructExpr>(&statement))
    return made->getNumArgs() == 1 && !isPlainValue(*made->getArg(0));
  if (!llvm::isa<clang::CStyleCastExpr, clang::CXXReinterpretCastExpr, clang::CXXConstCastExpr,
                 clang::CXXFunctionalCastExpr>(statement))
    return false;
  const auto &cast = llvm::cast<clang::ExplicitCastExpr>(statement);
  const clang::QualType target = cast.getTypeAsWritten();
  return (target->isDependentType() || target->isPointerType()) &&
         (cast.isTypeDependent() || cast.getSubExpr()->isTypeDependent()) && !isPlainValue(*cast.getSubExpr());
}

bool holdsUnjudged(const clang::Stmt *statement) {
  return statement && (isUnjudged(*statement) || std::ranges::any_of(statement->children(), holdsUnjudged));
}

bool holdsUnresolvedName(const clang::Stmt *statement) {
  const auto *expression = llvm::dyn_cast_or_null<clang::Expr>(statement);
  return statement && ((expression && isUnresolvedName(*expression)) ||
                       std::ranges::any_of(statement->children(), holdsUnresolvedName));
}

/// Returns whether it is inside another template, which is judged as a whole.
bool isNested(const clang::FunctionDecl &function) {
  for (const clang::DeclContext *outer = function.getParentFunctionOrMethod(); outer; outer = outer->getParent())
    if (outer->isFunctionOrMethod() && outer->isDependentContext())
      return true;
  return false;
}

} // namespace

void UninstantiatedCode::declaration(const clang::Decl &decl, Context &context) {
  const auto *function = llvm::dyn_cast<clang::FunctionDecl>(&decl);
  if (!function || !function->doesThisDeclarationHaveABody() || !function->getBody())
    return;
  const auto begin = context.fileOffset(function->getBody()->getBeginLoc());
  const auto end = context.fileOffset(function->getBody()->getEndLoc());
  if (begin && end)
    bodies_.emplace_back(*begin, *end);
  if (const clang::FunctionDecl *pattern = function->getTemplateInstantiationPattern())
    instantiated_.insert(pattern->getCanonicalDecl());
  else if (function->isDependentContext() && context.isOwn(function->getLocation()) && !isNested(*function) &&
           holdsUnjudged(function->getBody()))
    patterns_.push_back(function);
}

void UninstantiatedCode::statement(const clang::Stmt &statement, Context &context) {
  if (llvm::isa<clang::RequiresExpr>(statement) && context.isCandidate())
    context.report(
        *this, statement.getBeginLoc(),
        "a requires-expression asks what exists where the code is built; write for the types that the kernel "
        "has");
}

void UninstantiatedCode::typeLocation(const clang::TypeLoc &location, Context &context) {
  const auto decltypeLocation = location.getAs<clang::DecltypeTypeLoc>();
  if (!decltypeLocation || !decltypeLocation.getUnderlyingExpr()->isInstantiationDependent())
    return;
  if (const auto offset = context.ownOffset(decltypeLocation.getBeginLoc());
      offset && holdsUnresolvedName(decltypeLocation.getUnderlyingExpr()))
    probes_.push_back(*offset);
}

void UninstantiatedCode::finish(Context &context) {
  if (!context.isCandidate())
    return; // a project's class has members that this kernel does not use
  for (const clang::FunctionDecl *pattern : patterns_)
    if (!instantiated_.contains(pattern->getCanonicalDecl()))
      context.report(*this, pattern->getLocation(),
                     "template '" + pattern->getNameAsString() +
                         "' is never instantiated, so nothing can judge what it calls; remove it");
  for (std::size_t probe : probes_) // inside a body it is ordinary code
    if (std::ranges::none_of(bodies_, [&](const auto &body) { return body.first < probe && probe < body.second; }))
      context.reportAt(*this, probe,
                       "decltype of a name that may not exist chooses code by what is there; write for the types that "
                       "the kernel has");
}

} // namespace agentic::checks
