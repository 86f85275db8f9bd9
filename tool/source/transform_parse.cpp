#include "tool/source/transform_parse.h"

#include "tool/base/text.h"
#include "tool/source/transform_ast.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/VirtualFileSystem.h>

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

/// The include directives of a candidate, to stand outside of namespaces, too: where they are written, the headers'
/// guards then leave nothing of them.
std::string includesOf(const std::string &text) {
  std::string includes;
  for (const std::string &line : split(text, '\n'))
    if (const std::string_view directive = trim(line);
        directive.starts_with('#') && trim(directive.substr(1)).starts_with("include"))
      includes += std::string(directive) + "\n";
  return includes;
}

/// The kernel's text among its closure, in SOURCE's order.
Unit makeUnit(const KernelSpec &spec, const std::string &kernel) {
  Unit unit;
  unit.text = includesOf(kernel) + "#ifndef AGENTIC_KERNEL\n#define AGENTIC_KERNEL\n#endif\n";
  for (const std::string &directive : spec.prelude)
    unit.text += directive + "\n";
  for (const Fragment &fragment : spec.closure) {
    const bool isDirective = fragment.kind == Fragment::Kind::Macro || fragment.kind == Fragment::Kind::Directive;
    unit.text += isDirective ? fragment.text + "\n" : insideNamespaces(fragment.namespaces, fragment.text);
  }
  const std::string opened = insideNamespaces(spec.namespaces, "\1");
  const std::size_t hole = opened.find('\1');
  unit.kernelBegin = unit.text.size() + hole;
  unit.text += opened.substr(0, hole) + kernel + opened.substr(hole + 1);
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

/// The last function of that name whose body lies in the kernel's text: a candidate has its helpers in front.
const clang::FunctionDecl *findKernel(const clang::DeclContext &context, const clang::SourceManager &sources,
                                      const std::string &name, std::size_t begin, std::size_t end) {
  const clang::FunctionDecl *last = nullptr;
  for (const clang::Decl *declaration : context.decls()) {
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      const clang::SourceLocation body = function->doesThisDeclarationHaveABody() && function->getBody()
                                             ? function->getBody()->getBeginLoc()
                                             : clang::SourceLocation();
      if (body.isValid() && body.isFileID() && sources.isInMainFile(body) && sources.getFileOffset(body) >= begin &&
          sources.getFileOffset(body) < end && function->getNameAsString() == name)
        last = function;
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration)) {
      if (const auto *found = findKernel(*llvm::cast<clang::DeclContext>(declaration), sources, name, begin, end))
        last = found;
    }
  }
  return last;
}

struct Outcome {
  bool parsed = false;
  const clang::FunctionDecl *function = nullptr;
  std::unique_ptr<moves::Nest> nest;
};

/// Builds the nest while the AST lives.
class NestConsumer : public clang::ASTConsumer {
public:
  NestConsumer(const Unit &unit, const KernelSpec &spec, const std::string &kernel, Outcome &outcome)
      : unit_(unit), spec_(spec), kernel_(kernel), outcome_(outcome) {}

  void HandleTranslationUnit(clang::ASTContext &context) override {
    outcome_.parsed = !context.getDiagnostics().hasErrorOccurred();
    if (!outcome_.parsed)
      return;
    outcome_.function = findKernel(*context.getTranslationUnitDecl(), context.getSourceManager(), spec_.identifier,
                                   unit_.kernelBegin, unit_.kernelBegin + kernel_.size());
    if (!outcome_.function)
      return;
    outcome_.nest = moves::buildNest(context, *outcome_.function, kernel_, unit_.kernelBegin);
    outcome_.nest->surroundings = unit_.text;
    for (const AliasPair &pair : spec_.contract.mayAlias)
      outcome_.nest->mayAlias.emplace_back(pair.first, pair.second);
  }

private:
  const Unit &unit_;
  const KernelSpec &spec_;
  const std::string &kernel_;
  Outcome &outcome_;
};

class NestAction : public clang::ASTFrontendAction {
public:
  NestAction(const Unit &unit, const KernelSpec &spec, const std::string &kernel, Outcome &outcome)
      : unit_(unit), spec_(spec), kernel_(kernel), outcome_(outcome) {}
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<NestConsumer>(unit_, spec_, kernel_, outcome_);
  }

private:
  const Unit &unit_;
  const KernelSpec &spec_;
  const std::string &kernel_;
  Outcome &outcome_;
};

/// The disk with the unit's text laid over it. Its working directory is its own: the process's must not move.
llvm::IntrusiveRefCntPtr<clang::FileManager> filesWith(const std::string &path, const std::string &text,
                                                       const std::string &workingDirectory) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text, path));
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>(llvm::vfs::createPhysicalFileSystem().release()));
  overlay->pushOverlay(memory);
  if (!workingDirectory.empty())
    overlay->setCurrentWorkingDirectory(workingDirectory);
  return llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), overlay);
}

} // namespace

Result<std::unique_ptr<moves::Nest>> parseLoopNest(const KernelSpec &spec, const std::string &text) {
  const Unit unit = makeUnit(spec, text);
  const std::filesystem::path folder = std::filesystem::path(spec.source).parent_path();
  const std::string path = (folder / (spec.kernel + ".agentic_transform.cpp")).string();
  std::vector<std::string> command = {"clang++", "-fsyntax-only", "-w"};
  command.insert(command.end(), spec.parseArguments.begin(), spec.parseArguments.end());
  command.push_back(path);

  Outcome outcome;
  FirstError errors;
  auto files = filesWith(path, unit.text, spec.workingDirectory);
  clang::tooling::ToolInvocation invocation(command, std::make_unique<NestAction>(unit, spec, text, outcome),
                                            files.get());
  invocation.setDiagnosticConsumer(&errors);
  invocation.run();
  const std::string advice = "the built-in search needs a kernel that Clang can parse; see 'agentic-kernel check'";
  if (!outcome.parsed)
    return userError("kernel '" + spec.kernel + "' cannot be parsed for the built-in search: " +
                         (errors.message.empty() ? "clang did not start" : errors.message),
                     advice);
  if (!outcome.function)
    return userError("kernel '" + spec.kernel + "' is no plain function definition", advice);
  return std::move(outcome.nest);
}

} // namespace agentic
