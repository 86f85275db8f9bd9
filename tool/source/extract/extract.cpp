#include "tool/source/extract/extract.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/source/extract/extract_unit.h"
#include "tool/source/extract/wrap.h"

#include "tool/source/parse/parse_arguments.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <functional>
#include <optional>

namespace agentic {
namespace {

class ErrorCollector : public clang::DiagnosticConsumer {
public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level < clang::DiagnosticsEngine::Error || errors_.size() >= 3)
      return;
    llvm::SmallString<128> message;
    diagnostic.FormatDiagnostic(message);
    std::string text;
    if (diagnostic.hasSourceManager() && diagnostic.getLocation().isValid())
      text = diagnostic.getLocation().printToString(diagnostic.getSourceManager()) + ": ";
    errors_.push_back(text + std::string(message));
  }
  std::string text() const { return join(errors_, "; "); }

private:
  std::vector<std::string> errors_;
};

class UnitConsumer : public clang::ASTConsumer {
public:
  UnitConsumer(const ExtractRequest &request, const LexedText &lexed, clang::CompilerInstance &compiler,
               const SeeUnit &see)
      : request_(request), lexed_(lexed), compiler_(compiler), see_(see) {
    recordPreprocessor(compiler.getPreprocessor(), record_);
  }

  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (!context.getDiagnostics().hasErrorOccurred())
      see_({request_, lexed_, context, compiler_.getPreprocessor(), record_});
  }

private:
  const ExtractRequest &request_;
  const LexedText &lexed_;
  clang::CompilerInstance &compiler_;
  const SeeUnit &see_;
  PreprocessorRecord record_;
};

class UnitAction : public clang::ASTFrontendAction {
public:
  UnitAction(const ExtractRequest &request, const LexedText &lexed, const SeeUnit &see)
      : request_(request), lexed_(lexed), see_(see) {}
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    return std::make_unique<UnitConsumer>(request_, lexed_, compiler, see_);
  }

private:
  const ExtractRequest &request_;
  const LexedText &lexed_;
  const SeeUnit &see_;
};

Result<Extraction> extract(const ParsedUnit &unit) {
  const clang::FunctionDecl *kernel = TRY(selectKernel(unit));
  Closure closure = collectClosure(unit, *kernel);
  Extraction extraction;
  extraction.findings = std::move(closure.findings);
  KernelSpec spec = TRY(fillSpec(unit, *kernel, std::move(closure)));
  extraction.spec = std::move(spec);
  extraction.spec.contract = TRY(extractContract(unit, *kernel));
  return extraction;
}

/// Puts the LF text in SOURCE's place on the real file system, so that Clang's offsets are ours.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystemWith(const ExtractRequest &request, const std::string &text) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile(request.source, 0, llvm::MemoryBuffer::getMemBufferCopy(text, request.source));
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>(llvm::vfs::createPhysicalFileSystem().release()));
  overlay->pushOverlay(memory);
  if (!request.command.directory.empty())
    overlay->setCurrentWorkingDirectory(request.command.directory);
  return overlay;
}

std::vector<std::string> argumentsOf(const ExtractRequest &request) {
  return parseArguments(request.command, request.compiler, fs::path(request.source).parent_path().string());
}

} // namespace

Result<std::string> sourceText(const ExtractRequest &request) {
  const Result<std::string> raw = readFile(request.source);
  if (!raw)
    return userError("kernel '" + request.kernel + "': cannot read SOURCE: " + raw.error().message,
                     "give an existing file as SOURCE of add_agentic_kernel(" + request.kernel + ")");
  return normalizeLineEnds(*raw);
}

std::string parseUnit(const ExtractRequest &request, const std::string &text, const SeeUnit &see) {
  const LexedText lexed = lexText(text);
  const std::vector<std::string> arguments = argumentsOf(request);
  std::vector<std::string> command = {"clang++", "-fsyntax-only", "-w", "-fno-caret-diagnostics"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.push_back(request.source);
  ErrorCollector errors;
  auto files = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), fileSystemWith(request, text));
  clang::tooling::ToolInvocation invocation(command, std::make_unique<UnitAction>(request, lexed, see), files.get());
  invocation.setDiagnosticConsumer(&errors);
  invocation.run();
  return errors.text();
}

Result<Extraction> extractFrom(const ExtractRequest &request, const std::string &text) {
  std::optional<Result<Extraction>> extraction;
  const std::string errors = parseUnit(request, text, [&](const ParsedUnit &unit) { extraction = extract(unit); });
  if (!extraction)
    return userError("unparsable: Clang cannot parse " + request.source + ": " + errors,
                     "mend it if your compiler refuses it, too; until then kernel '" + request.kernel +
                         "' stays at its baseline. If your compiler accepts it, keep what only it accepts out of this "
                         "file, or move the kernel to a file of its own");
  if (*extraction) {
    (*extraction)->spec.parseArguments = argumentsOf(request);
    (*extraction)->spec.workingDirectory = request.command.directory;
  }
  return std::move(*extraction);
}

Result<Extraction> extractKernel(const ExtractRequest &request) {
  return extractFrom(request, TRY(sourceText(request)));
}

Result<Wrapping> wrapKernel(const ExtractRequest &request) {
  return wrapFrom(request, TRY(sourceText(request)));
}

Result<Wrapping> wrapFrom(const ExtractRequest &request, const std::string &text) {
  std::optional<Result<Wrapping>> wrapping;
  const std::string errors = parseUnit(request, text, [&](const ParsedUnit &unit) { wrapping = wrapIn(unit); });
  if (!wrapping)
    return userError("Clang cannot parse " + request.source + ": " + errors, "mend it first");
  if (!*wrapping)
    return std::move(*wrapping);
  ExtractRequest wrapped = request;
  wrapped.function = (*wrapping)->function;
  if (const Result<Extraction> kernel = extractFrom(wrapped, (*wrapping)->source); !kernel)
    return userError("the wrapper of '" + (*wrapping)->of + "' would not do: " + kernel.error().message,
                     "write one by hand: " + kernel.error().next);
  return std::move(*wrapping);
}

} // namespace agentic
