#include "tool/source/parse/kernel_parse.h"

#include "tool/base/text.h"
#include "tool/source/parse/extract_preprocessor.h"
#include "tool/source/parse/parse_arguments.h"
#include "tool/source/parse/preambles.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/CompilerInstance.h>
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

/// Returns the include directives of a candidate, which are repeated outside namespaces: at their own place, the
/// headers' guards then leave nothing of them.
std::string includesOf(const std::string &text) {
  std::string includes;
  for (const std::string &line : split(text, '\n'))
    if (const std::string_view directive = trim(line);
        directive.starts_with('#') && trim(directive.substr(1)).starts_with("include"))
      includes += std::string(directive) + "\n";
  return includes;
}

/// Puts the kernel's text among its closure, in SOURCE's order.
Unit makeUnit(const KernelSpec &spec, const std::string &kernel) {
  Unit unit;
  unit.text = includesOf(kernel) + "#ifndef AGENTIC_KERNEL\n#define AGENTIC_KERNEL\n#endif\n";
  for (const std::string &directive : spec.prelude)
    unit.text += directive + "\n";
  for (const Fragment &fragment : spec.closure) {
    const bool isDirective = fragment.kind == Fragment::Kind::Macro || fragment.kind == Fragment::Kind::Directive;
    unit.text += isDirective ? fragment.text + "\n" : insideNamespaces(fragment.namespaces, copyOf(fragment));
  }
  const std::string opened = insideNamespaces(spec.namespaces, "\1");
  const std::size_t hole = opened.find('\1');
  unit.kernelBegin = unit.text.size() + hole;
  unit.text += opened.substr(0, hole) + kernel + opened.substr(hole + 1);
  return unit;
}

/// Keeps only the first error.
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

/// Finds the last function of that name with a body in the kernel's text: a candidate has its helpers in front.
const clang::FunctionDecl *findKernel(const clang::DeclContext &context, const clang::SourceManager &sources,
                                      const std::string &name, std::size_t begin, std::size_t end) {
  const clang::FunctionDecl *last = nullptr;
  for (const clang::Decl *declaration : context.noload_decls()) { // a preamble's are of no interest
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

/// Shows the AST while it lives.
class UnitConsumer : public clang::ASTConsumer {
public:
  UnitConsumer(const std::function<void(const clang::ASTContext &)> &visit, bool &isParsed)
      : visit_(visit), isParsed_(isParsed) {}

  void HandleTranslationUnit(clang::ASTContext &context) override {
    isParsed_ = !context.getDiagnostics().hasErrorOccurred();
    if (isParsed_)
      visit_(context);
  }

private:
  const std::function<void(const clang::ASTContext &)> &visit_;
  bool &isParsed_;
};

class UnitAction : public clang::ASTFrontendAction {
public:
  UnitAction(const std::function<void(const clang::ASTContext &)> &visit, PreprocessorRecord *record, bool &isParsed)
      : visit_(visit), record_(record), isParsed_(isParsed) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    if (record_)
      recordPreprocessor(compiler.getPreprocessor(), *record_);
    return std::make_unique<UnitConsumer>(visit_, isParsed_);
  }

private:
  const std::function<void(const clang::ASTContext &)> &visit_;
  PreprocessorRecord *record_;
  bool &isParsed_;
};

/// Runs a UnitAction, with a preamble that other units had, too.
class UnitTool : public clang::tooling::ToolAction {
public:
  UnitTool(std::string path, const std::string &text, Preambles *preambles, UnitAction &action)
      : path_(std::move(path)), text_(text), preambles_(preambles), action_(action) {}

  bool runInvocation(std::shared_ptr<clang::CompilerInvocation> invocation, clang::FileManager *files,
                     std::shared_ptr<clang::PCHContainerOperations> containers,
                     clang::DiagnosticConsumer *diagnostics) override {
    auto fileSystem = files->getVirtualFileSystemPtr();
    if (preambles_)
      preambles_->use(*invocation, path_, text_, fileSystem);
    clang::CompilerInstance compiler(std::move(containers));
    compiler.setInvocation(std::move(invocation));
    compiler.setFileManager(new clang::FileManager(files->getFileSystemOpts(), fileSystem));
    compiler.createDiagnostics(diagnostics, /*ShouldOwnClient=*/false);
    compiler.createSourceManager(compiler.getFileManager());
    compiler.setVerboseOutputStream(llvm::nulls()); // "1 error generated."
    return compiler.ExecuteAction(action_);
  }

private:
  std::string path_;
  const std::string &text_;
  Preambles *preambles_;
  UnitAction &action_;
};

std::string needsClang(const std::string &purpose) {
  return purpose + " needs a kernel that Clang can parse; see 'agentic-kernel check'";
}

/// Lays the unit's text over the disk. The working directory is separate: the process's must not change.
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

Result<void> parseUnit(const KernelSpec &spec, const std::string &text, const std::string &purpose,
                       const std::function<void(const clang::ASTContext &)> &visit, PreprocessorRecord *record,
                       Preambles *preambles) {
  const std::filesystem::path folder = std::filesystem::path(spec.source).parent_path();
  const std::string path = (folder / (spec.kernel + ".agentic_transform" + fileEnding(spec.language))).string();
  std::vector<std::string> command = {"clang++", "-fsyntax-only", "-w"};
  const std::vector<std::string> arguments = withoutPrecompiledHeader(spec.parseArguments);
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.push_back(path);

  bool isParsed = false;
  FirstError errors;
  auto files = filesWith(path, text, spec.workingDirectory);
  UnitAction action(visit, record, isParsed);
  UnitTool tool(path, text, preambles, action);
  clang::tooling::ToolInvocation invocation(command, &tool, files.get(),
                                            std::make_shared<clang::PCHContainerOperations>());
  invocation.setDiagnosticConsumer(&errors);
  invocation.run();
  if (!isParsed)
    return userError("kernel '" + spec.kernel + "' cannot be parsed for " + purpose + ": " +
                         (errors.message.empty() ? "clang did not start" : errors.message),
                     needsClang(purpose));
  return {};
}

Result<void> parseKernel(const KernelSpec &spec, const std::string &text, const std::string &purpose,
                         const std::function<void(const ParsedKernel &)> &visit, PreprocessorRecord *record,
                         Preambles *preambles) {
  const Unit unit = makeUnit(spec, text);
  bool isFound = false;
  const auto find = [&](const clang::ASTContext &context) {
    const std::size_t begin = unit.kernelBegin;
    const clang::FunctionDecl *function = findKernel(*context.getTranslationUnitDecl(), context.getSourceManager(),
                                                     spec.identifier, begin, begin + text.size());
    isFound = function != nullptr;
    if (isFound)
      visit({context, *function, unit.text, begin});
  };
  const Result<void> parsed = parseUnit(spec, unit.text, purpose, find, record, preambles);
  if (!parsed)
    return parsed;
  if (!isFound)
    return userError("kernel '" + spec.kernel + "' is no plain function definition", needsClang(purpose));
  return {};
}

} // namespace agentic
