#include "ast-checks/declarations_outside.h"

#include "ast-checks/context.h"
#include "ast-checks/function_use.h"
#include "ast-checks/names.h"

namespace agentic::checks {
namespace {

bool isInStd(const clang::Decl &decl) {
  for (const clang::DeclContext *context = decl.getDeclContext(); context; context = context->getParent())
    if (const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(context))
      if (space->getParent()->isTranslationUnit() && (space->getName() == "std" || space->getName().starts_with("__") ||
                                                      space->getName() == "testing" || space->getName() == "benchmark"))
        return true;
  return false;
}

bool isAllocationOperator(const clang::FunctionDecl &function) {
  switch (function.getOverloadedOperator()) {
  case clang::OO_New:
  case clang::OO_Array_New:
  case clang::OO_Delete:
  case clang::OO_Array_Delete:
    return true;
  default:
    return false;
  }
}

std::string judgeFunction(const clang::FunctionDecl &function, const Context &context) {
  std::string name = "'" + function.getNameAsString() + "'";
  if (isAllocationOperator(function))
    return "a definition of " + name + " replaces the allocator; use a local array of fixed size";
  if (isKernel(function, context))
    return {};
  // Members defined in their class and instantiations become weak symbols, which the audit handles.
  if (function.isTemplateInstantiation() || (llvm::isa<clang::CXXMethodDecl>(function) && !function.isOutOfLine()))
    return {};
  if (function.isExternC() && !function.isInAnonymousNamespace())
    return "extern \"C\" " + name + " is seen by other units; declare it 'static'";
  if (function.isThisDeclarationADefinition() && function.isExternallyVisible())
    return name + " is seen by other units; declare it 'static'";
  if (!function.isDefined() && function.isExternallyVisible() && !function.isImplicit())
    return name + " is declared but not defined here; write a helper function with a body";
  return {};
}

} // namespace

void DeclarationsOutside::declaration(const clang::Decl &decl, Context &context) {
  if (!context.isCandidate() || decl.isImplicit())
    return;
  const bool atNamespaceScope =
      decl.getDeclContext()->isFileContext() || llvm::isa<clang::LinkageSpecDecl>(decl.getDeclContext());
  if (const auto *directive = llvm::dyn_cast<clang::UsingDirectiveDecl>(&decl)) {
    if (atNamespaceScope && !context.isMainFile(directive->getNominatedNamespace()->getLocation()))
      context.report(*this, decl.getLocation(),
                     "'using namespace " + directive->getNominatedNamespace()->getNameAsString() +
                         "' outside functions changes the meaning of other text; qualify the names");
    return;
  }
  if (const auto *space = llvm::dyn_cast<clang::NamespaceAliasDecl>(&decl); space && atNamespaceScope)
    return;
  if (isInStd(decl) && atNamespaceScope) {
    context.report(*this, decl.getLocation(),
                   "a declaration in namespace 'std' changes the library; use a helper function of your own");
    return;
  }
  if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(&decl)) {
    if (std::string message = judgeFunction(*function, context); !message.empty())
      context.report(*this, function->getLocation(), std::move(message));
    return;
  }
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(&decl);
  if (variable && atNamespaceScope && variable->isExternallyVisible() && !variable->isStaticDataMember() &&
      !variable->getDescribedVarTemplate() && !llvm::isa<clang::VarTemplateSpecializationDecl>(variable))
    context.report(*this, variable->getLocation(),
                   "'" + variable->getNameAsString() + "' is seen by other units; declare it 'static constexpr'");
}

} // namespace agentic::checks
