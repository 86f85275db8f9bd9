// Selects the function that is the kernel, and decides whether a separately compiled one can replace it.
#include "tool/base/text.h"
#include "tool/source/extract/class_use.h"
#include "tool/source/extract/extract_unit.h"
#include "tool/source/extract/wrap.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/StmtCXX.h"

#include <algorithm>

namespace agentic {
namespace {

struct Functions {
  std::vector<const clang::FunctionDecl *> marked;
  std::vector<std::string> names; ///< names of all functions written in SOURCE, for "did you mean"
};

void findFunctions(const clang::DeclContext *context, std::vector<const clang::FunctionDecl *> &found) {
  const auto add = [&](const clang::FunctionDecl *function) {
    const clang::FunctionDecl *definition = function->getDefinition();
    found.push_back(definition ? definition : function);
  };
  for (const clang::Decl *declaration : context->decls()) {
    if (declaration->isImplicit())
      continue;
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
      add(function);
    else if (const auto *function = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration))
      add(function->getTemplatedDecl());
    else if (const auto *record = llvm::dyn_cast<clang::ClassTemplateDecl>(declaration))
      findFunctions(record->getTemplatedDecl(), found);
    else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::CXXRecordDecl>(declaration))
      findFunctions(llvm::cast<clang::DeclContext>(declaration), found);
  }
}

Functions allFunctions(const ParsedUnit &unit) {
  Functions found;
  for (const clang::FunctionDecl *function : functionsOf(unit)) {
    if (unit.isInSource(function->getLocation()))
      found.names.push_back(function->getQualifiedNameAsString());
    if (isMarked(*function) && std::ranges::find(found.marked, function) == found.marked.end())
      found.marked.push_back(function);
  }
  return found;
}

std::string typeText(const ParsedUnit &unit, clang::QualType type) {
  return type.getAsString(clang::PrintingPolicy(unit.context.getLangOpts()));
}

/// Returns what to do for a function of another shape.
std::string wrapperAdvice(const ParsedUnit &unit, const clang::FunctionDecl &function) {
  const ExtractRequest &request = unit.request;
  const Result<Wrapping> wrapping = wrapperOf(unit, function);
  if (!wrapping)
    return wrapping.error().next + " (" + wrapping.error().message + ")";
  return "'agentic-kernel wrap --build-dir " + request.command.directory + " --kernel " + request.kernel +
         "' shows the free function '" + wrapping->function + "' with its loops, which '" + wrapping->of +
         "' then calls; with --write it writes it into SOURCE";
}

std::string memberRefusal(const ParsedUnit &unit, const clang::CXXMethodDecl &kernel) {
  if (kernel.isInstance())
    return "is a member function";
  if (!kernel.isOutOfLine() || !unit.isInSource(kernel.getLocation()))
    return "is a member function that is defined in its class";
  SourceEdits ignored;
  const ClassUse use(unit, kernel, ignored);
  return use.name().empty() ? "" : "is a member function that uses '" + use.name() + "' of its class";
}

/// Returns why a function of this shape cannot be a kernel; empty = it can.
std::string refusal(const ParsedUnit &unit, const clang::FunctionDecl &kernel) {
  if (kernel.isTemplated() || kernel.getPrimaryTemplate())
    return "is a template";
  if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&kernel))
    if (std::string reason = memberRefusal(unit, *method); !reason.empty())
      return reason;
  if (!unit.isInSource(kernel.getLocation()))
    return "is defined in a header";
  if (kernel.isConstexprSpecified() || kernel.isConsteval())
    return "is constexpr";
  if (kernel.isInlined())
    return "is inline";
  if (kernel.isMain())
    return "is the program's main function";
  if (unit.isC() && !kernel.hasWrittenPrototype())
    return "is defined without a prototype";
  if (kernel.isVariadic())
    return "is variadic";
  if (kernel.getReturnType()->getContainedAutoType() || kernel.getDeclaredReturnType()->getContainedAutoType())
    return "has a deduced return type";
  if (llvm::isa_and_nonnull<clang::CoroutineBodyStmt>(kernel.getBody()))
    return "is a coroutine";
  if (kernel.getLocation().isMacroID() || kernel.getBody()->getEndLoc().isMacroID())
    return "is written by a macro";
  return {};
}

/// Handles refusals whose remedy is not a wrapper.
Result<void> checkTypes(const ParsedUnit &unit, const clang::FunctionDecl &kernel) {
  if (unit.isC()) // types of different units are the same if their members are
    return {};
  const std::string what = unit.position(kernel.getLocation()) + "kernel '" + kernel.getNameAsString() + "' ";
  const auto check = [&](clang::QualType type, const std::string &where) -> Result<void> {
    if (clang::isExternallyVisible(type->getLinkage()))
      return {};
    return userError(what + "has a type that only this file can name, '" + typeText(unit, type) + "', " + where,
                     "move that type out of its anonymous namespace (or give it a name), so that a variant in another "
                     "file can be declared with it");
  };
  TRY(check(kernel.getReturnType(), "as its result"));
  for (const clang::ParmVarDecl *parameter : kernel.parameters())
    TRY(check(parameter->getType(), "in its signature"));
  return {};
}

std::string listOf(const ParsedUnit &unit, const std::vector<const clang::FunctionDecl *> &functions) {
  std::vector<std::string> lines;
  for (const clang::FunctionDecl *function : functions)
    lines.push_back("'" + function->getQualifiedNameAsString() + "' (line " +
                    std::to_string(unit.sources().getExpansionLineNumber(function->getLocation())) + ")");
  return join(lines, ", ");
}

bool hasName(const clang::FunctionDecl &function, std::string wanted) {
  if (wanted.starts_with("::"))
    wanted = wanted.substr(2);
  const std::string qualified = function.getQualifiedNameAsString();
  return qualified == wanted || qualified.ends_with("::" + wanted);
}

std::unexpected<Error> notFound(const ParsedUnit &unit, Functions &found) {
  const ExtractRequest &request = unit.request;
  const std::string kernel = "kernel '" + request.kernel + "': ";
  if (std::ranges::any_of(found.names, [&](const std::string &name) {
        return name == request.function || name.ends_with("::" + request.function);
      }))
    return userError(kernel + "function '" + request.function + "' in " + request.source + " is not marked",
                     "write AGENTIC_KERNEL in front of its definition: 'AGENTIC_KERNEL void f(...) { ... }'");
  std::vector<std::string> names;
  for (const clang::FunctionDecl *function : found.marked)
    names.push_back(function->getQualifiedNameAsString());
  names.insert(names.end(), found.names.begin(), found.names.end());
  std::string meant = didYouMean(request.function, names);
  for (const std::string &name : names)
    if (meant.empty() && !didYouMean(request.function, std::vector{name.substr(name.rfind(':') + 1)}).empty())
      meant = name;
  return userError(kernel + "no function '" + request.function + "' in " + request.source,
                   meant.empty() ? "marked functions there: " + listOf(unit, found.marked)
                                 : "did you mean FUNCTION " + meant + "?");
}

} // namespace

std::vector<const clang::FunctionDecl *> functionsOf(const ParsedUnit &unit) {
  std::vector<const clang::FunctionDecl *> found;
  findFunctions(unit.context.getTranslationUnitDecl(), found);
  return found;
}

bool isMarked(const clang::FunctionDecl &function) {
  return std::ranges::any_of(function.specific_attrs<clang::AnnotateAttr>(), [](const clang::AnnotateAttr *attribute) {
    return attribute->getAnnotation() == "agentic_kernel";
  });
}

Result<const clang::FunctionDecl *> markedFunction(const ParsedUnit &unit) {
  const ExtractRequest &request = unit.request;
  const std::string kernel = "kernel '" + request.kernel + "': ";
  Functions found = allFunctions(unit);
  std::vector<const clang::FunctionDecl *> fitting;
  for (const clang::FunctionDecl *function : found.marked)
    if (request.function.empty() || hasName(*function, request.function))
      fitting.push_back(function);
  // A marked function of an included header counts only if SOURCE has none.
  std::vector<const clang::FunctionDecl *> local;
  std::ranges::copy_if(fitting, std::back_inserter(local),
                       [&](const clang::FunctionDecl *function) { return unit.isInSource(function->getLocation()); });
  if (!local.empty())
    fitting = local;
  if (fitting.empty() && !request.function.empty())
    return notFound(unit, found);
  if (fitting.empty())
    return userError(
        kernel + "no function in " + request.source + " is marked AGENTIC_KERNEL",
        "write AGENTIC_KERNEL in front of the hot function's definition: 'AGENTIC_KERNEL void f(...) { ... }'");
  if (fitting.size() > 1 && request.function.empty())
    return userError(kernel + std::to_string(fitting.size()) + " functions in " + request.source +
                         " are marked: " + listOf(unit, fitting),
                     "say which one with FUNCTION in add_agentic_kernel(" + request.kernel + ")");
  if (fitting.size() > 1)
    return userError(kernel + "'" + request.function + "' names several marked functions: " + listOf(unit, fitting),
                     "mark only one overload, or give the others another name");
  return fitting.front();
}

Result<const clang::FunctionDecl *> selectKernel(const ParsedUnit &unit) {
  const clang::FunctionDecl *chosen = TRY(markedFunction(unit));
  const clang::FunctionDecl &kernel = *chosen;
  if (!kernel.isThisDeclarationADefinition() || !kernel.getBody())
    return userError(unit.position(kernel.getLocation()) + "kernel '" + kernel.getNameAsString() +
                         "' is declared but not defined in SOURCE",
                     "name the file with its definition as SOURCE of add_agentic_kernel(" + unit.request.kernel + ")");
  if (const std::string reason = refusal(unit, kernel); !reason.empty())
    return userError(unit.position(kernel.getLocation()) + "kernel '" + kernel.getNameAsString() + "' " + reason +
                         ", which a separately compiled variant cannot replace",
                     wrapperAdvice(unit, kernel));
  TRY(checkTypes(unit, kernel));
  return chosen;
}

} // namespace agentic
