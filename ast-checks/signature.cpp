#include "ast-checks/signature.h"

#include "ast-checks/context.h"
#include "ast-checks/function_use.h"
#include "ast-checks/names.h"

namespace agentic::checks {
namespace {

bool isTheKernel(const clang::FunctionDecl &function, const CheckRequest &request) {
  if (!request.kernelSymbol.empty())
    return function.isExternC() && function.getNameAsString() == request.kernelSymbol;
  return isMarked(function) &&
         (request.kernelFunction.empty() || qualifiedName(function) == plainName(request.kernelFunction));
}

struct Kernels {
  std::vector<const clang::FunctionDecl *> definitions;
  bool isDeclared = false;
};

/// The whole unit is searched, not only own text, because the tool's text may frame the kernel.
void collectKernels(const clang::DeclContext &parent, const Context &context, Kernels &found) {
  for (const clang::Decl *decl : parent.decls()) {
    if (!context.isMainFile(decl->getLocation()))
      continue;
    if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExportDecl>(decl))
      collectKernels(*llvm::cast<clang::DeclContext>(decl), context, found);
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl);
    if (!function || !isTheKernel(*function, context.request()))
      continue;
    found.isDeclared = true;
    if (function->isThisDeclarationADefinition())
      found.definitions.push_back(function);
  }
}

} // namespace

void Signature::finish(Context &context) {
  const CheckRequest &request = context.request();
  if (request.kernelSymbol.empty() && request.kernelFunction.empty())
    return; // the file is checked without a kernel's name
  Kernels kernels;
  collectKernels(*context.ast().getTranslationUnitDecl(), context, kernels);
  const std::string name = request.kernelFunction.empty() ? request.kernelSymbol : request.kernelFunction;
  const std::size_t start = context.own().all().empty() ? 0 : context.own().all().front().begin;
  if (kernels.definitions.size() != 1) {
    std::string what = !kernels.definitions.empty() ? "' is defined more than once; keep one definition"
                       : kernels.isDeclared         ? "' is declared but not defined; give its definition"
                                                    : "' is not there; give its definition";
    context.reportAt(*this, start, "the kernel '" + name + what);
    return;
  }
  const clang::FunctionDecl &kernel = *kernels.definitions.front();
  std::string type = kernel.getType().getCanonicalType().getAsString(context.ast().getPrintingPolicy());
  if (request.canonicalType.empty() || sameTypeText(type, request.canonicalType))
    return;
  // The name may be the tool's text, but the finding is about the candidate.
  context.reportAt(*this, context.ownOffset(kernel.getLocation()).value_or(start),
                   "the kernel '" + name + "' has type '" + type + "'; it must be '" + request.canonicalType + "'");
}

} // namespace agentic::checks
