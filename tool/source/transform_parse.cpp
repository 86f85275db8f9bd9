#include "tool/source/transform_parse.h"

#include "tool/source/transform_ast.h"

#include <clang/Frontend/ASTUnit.h>
#include <clang/Tooling/Tooling.h>

#include <filesystem>

namespace agentic {
namespace {

struct Unit {
  std::string text;
  std::size_t kernelBegin = 0;
};

std::string insideNamespaces(const std::vector<std::string> &namespaces, const std::string &text) {
  std::string result;
  for (const std::string &name : namespaces)
    result += name.empty() ? "namespace {\n" : "namespace " + name + " {\n";
  result += text + "\n";
  for (std::size_t i = 0; i < namespaces.size(); ++i)
    result += "}\n";
  return result;
}

/// The kernel among its closure, in SOURCE's order.
Unit makeUnit(const KernelSpec &spec) {
  Unit unit;
  unit.text = "#ifndef AGENTIC_KERNEL\n#define AGENTIC_KERNEL\n#endif\n";
  for (const std::string &directive : spec.prelude)
    unit.text += directive + "\n";
  for (const Fragment &fragment : spec.closure) {
    const bool isDirective = fragment.kind == Fragment::Kind::Macro || fragment.kind == Fragment::Kind::Directive;
    unit.text += isDirective ? fragment.text + "\n" : insideNamespaces(fragment.namespaces, fragment.text);
  }
  const std::string opened = insideNamespaces(spec.namespaces, "\1");
  const std::size_t hole = opened.find('\1');
  unit.kernelBegin = unit.text.size() + hole;
  unit.text += opened.substr(0, hole) + spec.text + opened.substr(hole + 1);
  return unit;
}

/// Keeps the first error.
class FirstError : public clang::DiagnosticConsumer {
public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) override {
    clang::DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level < clang::DiagnosticsEngine::Error || !message.empty())
      return;
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    message = text.str();
  }
  std::string message;
};

/// The function whose body lies in the kernel's text.
const clang::FunctionDecl *findKernel(const clang::DeclContext &context, const clang::SourceManager &sources,
                                      std::size_t begin, std::size_t end) {
  for (const clang::Decl *declaration : context.decls()) {
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      const clang::SourceLocation body = function->doesThisDeclarationHaveABody() && function->getBody()
                                             ? function->getBody()->getBeginLoc()
                                             : clang::SourceLocation();
      if (body.isValid() && body.isFileID() && sources.isInMainFile(body) && sources.getFileOffset(body) >= begin &&
          sources.getFileOffset(body) < end)
        return function;
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration)) {
      if (const auto *found = findKernel(*llvm::cast<clang::DeclContext>(declaration), sources, begin, end))
        return found;
    }
  }
  return nullptr;
}

} // namespace

Result<std::unique_ptr<moves::Nest>> parseLoopNest(const KernelSpec &spec) {
  const Unit unit = makeUnit(spec);
  const std::filesystem::path folder = std::filesystem::path(spec.source).parent_path();
  std::vector<std::string> arguments = spec.parseArguments;
  if (!spec.workingDirectory.empty())
    arguments.push_back("-working-directory=" + spec.workingDirectory);
  arguments.push_back("-w");
  FirstError errors;
  const std::unique_ptr<clang::ASTUnit> ast = clang::tooling::buildASTFromCodeWithArgs(
      unit.text, arguments, (folder / (spec.kernel + ".agentic_transform.cpp")).string(), "agentic-kernel",
      std::make_shared<clang::PCHContainerOperations>(), clang::tooling::getClangStripDependencyFileAdjuster(), {},
      &errors);
  const std::string advice = "the built-in search needs a kernel that Clang can parse; see 'agentic-kernel check'";
  if (!ast || !errors.message.empty())
    return userError("kernel '" + spec.kernel + "' cannot be parsed for the built-in search: " +
                         (errors.message.empty() ? "clang did not start" : errors.message),
                     advice);
  const clang::ASTContext &context = ast->getASTContext();
  const clang::FunctionDecl *function = findKernel(*context.getTranslationUnitDecl(), context.getSourceManager(),
                                                   unit.kernelBegin, unit.kernelBegin + spec.text.size());
  if (!function)
    return userError("kernel '" + spec.kernel + "' is no plain function definition", advice);
  return moves::buildNest(context, *function, spec.text, unit.kernelBegin);
}

} // namespace agentic
