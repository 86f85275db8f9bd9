#include "tool/source/extract/extract.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/source/extract/extract_unit.h"

#include "tool/source/parse/parse_arguments.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/VirtualFileSystem.h"

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

/// The results of one run of the frontend.
struct ParseOutcome {
  bool reachedEnd = false;
  std::optional<Result<Extraction>> extraction;
};

class ExtractConsumer : public clang::ASTConsumer {
public:
  ExtractConsumer(const ExtractRequest &request, const LexedText &lexed, clang::CompilerInstance &compiler,
                  ParseOutcome &outcome)
      : request_(request), lexed_(lexed), compiler_(compiler), outcome_(outcome) {
    recordPreprocessor(compiler.getPreprocessor(), record_);
  }

  void HandleTranslationUnit(clang::ASTContext &context) override {
    outcome_.reachedEnd = true;
    if (context.getDiagnostics().hasErrorOccurred())
      return;
    outcome_.extraction = extract({request_, lexed_, context, compiler_.getPreprocessor(), record_});
  }

private:
  static Result<Extraction> extract(const ParsedUnit &unit) {
    const clang::FunctionDecl *kernel = TRY(selectKernel(unit));
    Closure closure = collectClosure(unit, *kernel);
    Extraction extraction;
    extraction.findings = std::move(closure.findings);
    KernelSpec spec = TRY(fillSpec(unit, *kernel, std::move(closure)));
    extraction.spec = std::move(spec);
    extraction.spec.contract = TRY(extractContract(unit, *kernel));
    return extraction;
  }

  const ExtractRequest &request_;
  const LexedText &lexed_;
  clang::CompilerInstance &compiler_;
  ParseOutcome &outcome_;
  PreprocessorRecord record_;
};

class ExtractAction : public clang::ASTFrontendAction {
public:
  ExtractAction(const ExtractRequest &request, const LexedText &lexed, ParseOutcome &outcome)
      : request_(request), lexed_(lexed), outcome_(outcome) {}
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    return std::make_unique<ExtractConsumer>(request_, lexed_, compiler, outcome_);
  }

private:
  const ExtractRequest &request_;
  const LexedText &lexed_;
  ParseOutcome &outcome_;
};

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

} // namespace

Result<Extraction> extractKernel(const ExtractRequest &request) {
  const Result<std::string> raw = readFile(request.source);
  if (!raw)
    return userError("kernel '" + request.kernel + "': cannot read SOURCE: " + raw.error().message,
                     "give an existing file as SOURCE of add_agentic_kernel(" + request.kernel + ")");
  const std::string text = normalizeLineEnds(*raw);
  const LexedText lexed = lexText(text);
  const std::vector<std::string> arguments =
      parseArguments(request.command, request.compiler, fs::path(request.source).parent_path().string());
  std::vector<std::string> command = {"clang++", "-fsyntax-only", "-w", "-fno-caret-diagnostics"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.push_back(request.source);

  ParseOutcome outcome;
  ErrorCollector errors;
  auto files = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), fileSystemWith(request, text));
  clang::tooling::ToolInvocation invocation(command, std::make_unique<ExtractAction>(request, lexed, outcome),
                                            files.get());
  invocation.setDiagnosticConsumer(&errors);
  invocation.run();
  if (!outcome.extraction)
    return userError("unparsable: Clang cannot parse " + request.source + ": " + errors.text(),
                     "mend it if your compiler refuses it, too; until then kernel '" + request.kernel +
                         "' stays at its baseline. If your compiler accepts it, keep what only it accepts out of this "
                         "file, or move the kernel to a file of its own");
  Result<Extraction> &extraction = *outcome.extraction;
  if (extraction) {
    extraction->spec.parseArguments = arguments;
    extraction->spec.workingDirectory = request.command.directory;
  }
  return std::move(extraction);
}

} // namespace agentic
