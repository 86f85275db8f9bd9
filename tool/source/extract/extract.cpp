#include "tool/source/extract/extract.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/source/extract/copy_text.h"
#include "tool/source/extract/extract_unit.h"
#include "tool/source/extract/wrap.h"

#include "tool/source/parse/parse_arguments.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <algorithm>
#include <cstdlib>
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

/// Clang's first error in a text, from ErrorCollector::text().
struct ErrorPlace {
  std::size_t line = 0, column = 0; ///< 0: in another file
  std::string message;
};

ErrorPlace firstErrorIn(const std::string &errors, const std::string &file) {
  ErrorPlace place;
  place.message = errors.substr(0, errors.find("; " + file));
  if (!errors.starts_with(file + ":"))
    return place;
  char *end = nullptr;
  place.line = std::strtoul(errors.c_str() + file.size() + 1, &end, 10);
  if (*end == ':')
    place.column = std::strtoul(end + 1, &end, 10);
  if (place.line > 0 && place.column > 0 && std::string_view(end).starts_with(": "))
    place.message = place.message.substr(std::size_t(end - errors.c_str()) + 2);
  return place;
}

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
  for (Finding &finding : wordsOfPlace(unit, *kernel))
    extraction.findings.push_back(std::move(finding));
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

namespace {

/// Parses the wrapper. Its error names a place of SOURCE, as `text` has it, and the word that means something else
/// where the wrapper has it.
Result<void> tryWrapping(const ExtractRequest &request, const std::string &text, const Wrapping &wrapping) {
  bool isParsed = false;
  const std::string errors = parseUnit(request, wrapping.source, [&](const ParsedUnit &) { isParsed = true; });
  if (isParsed)
    return {};
  const ErrorPlace error = firstErrorIn(errors, request.source);
  const std::vector<std::string> now = split(wrapping.source, '\n'), before = split(text, '\n');
  const std::string line = error.line > 0 && error.line <= now.size() ? now[error.line - 1] : std::string();
  const auto moved = trim(line).size() < 2 ? before.end() : std::ranges::find(before, line);
  const std::size_t place = moved != before.end() ? std::size_t(moved - before.begin()) + 1 : wrapping.line;
  const LexedText lexed = lexText(line);
  const std::size_t at = line.empty() ? 0 : lexed.tokenAt(error.column - 1);
  const std::string word = at < lexed.tokens.size() ? std::string(lexed.spelling(at)) : std::string();
  return userError(request.source + ":" + std::to_string(place) + ": no wrapper can be written for '" + wrapping.of +
                       "'" + (word.empty() ? "" : ": '" + word + "' means something else in a free function") + ": " +
                       error.message,
                   (word.empty() ? ""
                                 : "write in front of the class, or as a local variable of the function, what '" +
                                       word + "' stands for, and run wrap again; ") +
                       std::string("or write a free function with the hot loops by hand, mark it, and call it"));
}

} // namespace

Result<Wrapping> wrapFrom(const ExtractRequest &request, const std::string &text) {
  std::optional<Result<Wrapping>> wrapping;
  const std::string errors = parseUnit(request, text, [&](const ParsedUnit &unit) { wrapping = wrapIn(unit); });
  if (!wrapping)
    return userError(
        "Clang cannot parse " + request.source + ": " + errors,
        "mend it if your compiler refuses it, too; if it accepts it, keep what only it accepts out of this "
        "file, or move the function to a file of its own");
  if (!*wrapping)
    return std::move(*wrapping);
  ExtractRequest wrapped = request;
  wrapped.function = (*wrapping)->function;
  if (const Result<void> taken = tryWrapping(wrapped, text, **wrapping); !taken)
    return std::unexpected(taken.error());
  if (const Result<Extraction> kernel = extractFrom(wrapped, (*wrapping)->source); !kernel)
    return userError("the wrapper of '" + (*wrapping)->of + "' would not do: " + kernel.error().message,
                     "write one by hand: " + kernel.error().next);
  return std::move(*wrapping);
}

} // namespace agentic
