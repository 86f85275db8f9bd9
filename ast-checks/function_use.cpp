#include "ast-checks/function_use.h"

#include "ast-checks/context.h"
#include "ast-checks/known_functions.h"
#include "ast-checks/names.h"

#include "clang/AST/Attr.h"
#include "clang/Basic/Builtins.h"

#include <algorithm>

namespace agentic::checks {
namespace {

/// Returns the function that an instantiation was written as.
const clang::FunctionDecl &written(const clang::FunctionDecl &function) {
  const clang::FunctionDecl *pattern = function.getTemplateInstantiationPattern();
  return pattern ? *pattern : function;
}

bool isDefinedInUnit(const clang::FunctionDecl &function, const Context &context) {
  if (const clang::FunctionDecl *definition = function.getDefinition())
    return context.isMainFile(definition->getLocation());
  // Compiler-made members have no definition until they are needed.
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  return method && (method->isImplicit() || method->isDefaulted()) &&
         context.isMainFile(method->getParent()->getLocation());
}

bool isDeclaredInOwnText(const clang::FunctionDecl &function, const Context &context) {
  return std::ranges::any_of(function.redecls(), [&](const clang::FunctionDecl *declaration) {
    return context.isOwn(declaration->getLocation());
  });
}

/// Returns whether the file that declares the function is a vector header.
bool isIntrinsic(const clang::FunctionDecl &function, const Context &context) {
  const clang::SourceManager &sources = context.sources();
  clang::SourceLocation place = sources.getExpansionLoc(function.getLocation());
  if (place.isInvalid() || context.isMainFile(place) || !sources.isInSystemHeader(place))
    return false;
  auto file = sources.getFileEntryRefForID(sources.getFileID(place));
  if (!file)
    return false;
  llvm::StringRef name = file->getName();
  name = name.substr(name.rfind('/') + 1);
  return name.ends_with("intrin.h") || name.starts_with("arm_") || name == "riscv_vector.h" || name == "mm_malloc.h" ||
         name == "adxintrin.h";
}

/// Compiler-made members of header classes are harmless: `proj::Params p;` with member initialisers. A class with a
/// destructor of its own may hold anything.
bool isHarmlessImplicit(const clang::FunctionDecl &function) {
  if (function.isTrivial())
    return true;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  return method && method->isImplicit() && method->getParent()->hasDefinition() &&
         method->getParent()->hasTrivialDestructor();
}

Use fromKnown(Known known) {
  switch (known) {
  case Known::Legal:
    return Use::Legal;
  case Known::Thread:
    return Use::Thread;
  case Known::Allocation:
    return Use::Allocation;
  case Known::Io:
    return Use::Io;
  case Known::Unlisted:
    break;
  }
  return Use::Unlisted;
}

Use classifyLibrary(const clang::FunctionDecl &function, const std::string &name, const Context &context) {
  if (isIntrinsic(function, context))
    return fromKnown(knownIntrinsic(name));
  Use use = fromKnown(knownFunction(name));
  // `__rdtsc` and a few others are builtins of the target, not functions of a header.
  if (use == Use::Unlisted && context.ast().BuiltinInfo.isTSBuiltin(function.getBuiltinID()))
    use = fromKnown(knownIntrinsic(name));
  if (use == Use::Unlisted && isHarmlessImplicit(function))
    return Use::Legal;
  // A function that returns a container by value (operator+ of strings) allocates it.
  const clang::CXXRecordDecl *returned =
      function.getReturnType()->isReferenceType() ? nullptr : recordOf(function.getReturnType());
  if (returned && knownType(qualifiedName(*returned)) == Known::Allocation)
    return Use::Allocation;
  return use;
}

FunctionUse classify(const clang::FunctionDecl &used, std::string name, clang::SourceLocation at,
                     const Context &context) {
  const clang::FunctionDecl &function = written(used);
  if (isKernel(function, context))
    return {Use::Self, std::move(name)};
  if (isDefinedInUnit(function, context) || isDefinedInUnit(used, context))
    return {Use::Legal, std::move(name)};
  const Policy &policy = context.policy();
  if (isListed(policy.forbid.functions, name))
    return {Use::Forbidden, std::move(name)};
  const auto &allowed = context.request().allowedFunctions;
  if (std::ranges::any_of(allowed, [&](const std::string &entry) { return plainName(entry) == name; }))
    return {Use::Legal, std::move(name)};
  if (name == "__assert_fail" && context.isSystemMacro(at))
    return {Use::Legal, std::move(name)};
  Use use = classifyLibrary(function, name, context);
  if (use == Use::Unlisted && isListed(policy.allow.functions, name))
    use = Use::Legal;
  // The candidate's own `extern "C" float sqrtf(float);` may be anything.
  if (use == Use::Legal && isDeclaredInOwnText(function, context) && !function.getBuiltinID())
    use = Use::Unlisted;
  return {use, std::move(name), true};
}

const clang::FunctionDecl *usedFunction(const clang::Stmt &statement) {
  const clang::Decl *decl = nullptr;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(&statement))
    decl = reference->getDecl();
  else if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(&statement))
    decl = member->getMemberDecl();
  else if (const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(&statement))
    decl = construct->getConstructor();
  else if (const auto *inherited = llvm::dyn_cast<clang::CXXInheritedCtorInitExpr>(&statement))
    decl = inherited->getConstructor();
  else if (const auto *created = llvm::dyn_cast<clang::CXXNewExpr>(&statement))
    decl = created->getOperatorNew();
  return llvm::dyn_cast_or_null<clang::FunctionDecl>(decl);
}

/// `f(x)` in a template where x is dependent: the functions that the name may mean decide. One legal overload is
/// enough; in an instantiation the called one decides.
std::optional<FunctionUse> unresolvedUse(const clang::OverloadExpr &overload, const Context &context) {
  std::optional<FunctionUse> worst;
  for (const clang::NamedDecl *found : overload.decls()) {
    const clang::NamedDecl *decl = found->getUnderlyingDecl();
    if (const auto *pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl))
      decl = pattern->getTemplatedDecl();
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl);
    if (!function)
      continue;
    FunctionUse use = classify(*function, qualifiedName(*function), overload.getNameLoc(), context);
    if (use.use == Use::Legal)
      return std::nullopt;
    worst = std::move(use);
  }
  return worst;
}

} // namespace

std::optional<FunctionUse> functionUse(const clang::Stmt &statement, const Context &context) {
  if (const auto *overload = llvm::dyn_cast<clang::OverloadExpr>(&statement))
    return unresolvedUse(*overload, context);
  const clang::FunctionDecl *function = usedFunction(statement);
  if (!function)
    return std::nullopt;
  return classify(*function, qualifiedName(*function), useLocation(statement), context);
}

clang::SourceLocation useLocation(const clang::Stmt &statement) {
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(&statement))
    return member->getMemberLoc().isValid() ? member->getMemberLoc() : member->getExprLoc();
  if (const auto *overload = llvm::dyn_cast<clang::OverloadExpr>(&statement))
    return overload->getNameLoc();
  if (const auto *expression = llvm::dyn_cast<clang::Expr>(&statement))
    return expression->getExprLoc();
  return statement.getBeginLoc();
}

bool isMarked(const clang::FunctionDecl &function) {
  return std::ranges::any_of(
      function.getMostRecentDecl()->specific_attrs<clang::AnnotateAttr>(),
      [](const clang::AnnotateAttr *attribute) { return attribute->getAnnotation() == "agentic_kernel"; });
}

bool isKernel(const clang::FunctionDecl &function, const Context &context) {
  const CheckRequest &request = context.request();
  if (!request.kernelSymbol.empty() && function.isExternC() && function.getNameAsString() == request.kernelSymbol)
    return true;
  if (request.kernelFunction.empty() || qualifiedName(function) != plainName(request.kernelFunction))
    return false;
  // An overload of the kernel is another function.
  if (!context.isCandidate())
    return isMarked(function);
  return request.canonicalType.empty() ||
         sameTypeText(function.getType().getCanonicalType().getAsString(context.ast().getPrintingPolicy()),
                      request.canonicalType);
}

} // namespace agentic::checks
