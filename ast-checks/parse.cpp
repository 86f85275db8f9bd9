#include "ast-checks/parse.h"

#include "ast-checks/context.h"
#include "ast-checks/traversal.h"
#include "tool/base/text.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/thread.h"

#include <algorithm>

namespace agentic::checks {
namespace {

constexpr std::size_t kMaxErrors = 20;
constexpr std::size_t kMaxOwnTokens = 500'000; // after preprocessing; a kernel has thousands
constexpr std::size_t kMaxRunOfTokens = 4096;  // without ; , { or }: the parser recurses on `+ + + + x`
constexpr unsigned kStackBytes = 256u << 20;   // reserved, not used: for `else if` chains of thousands

/// Collects Clang's errors, and passes warnings in own text to the checks.
class Diagnostics : public clang::DiagnosticConsumer {
public:
  Diagnostics(const CheckRequest &request, const CheckList &checks, Context &context, CheckOutcome &outcome)
      : request_(request), checks_(checks), context_(context), outcome_(outcome) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    llvm::SmallString<160> text;
    if (level >= clang::DiagnosticsEngine::Error) {
      info.FormatDiagnostic(text);
      addError(info, text.str().str());
      return;
    }
    if (level != clang::DiagnosticsEngine::Warning || !info.hasSourceManager())
      return;
    auto offset = context_.ownOffset(info.getLocation());
    if (!offset)
      return;
    info.FormatDiagnostic(text);
    std::string option = clang::DiagnosticIDs::getWarningOptionForDiag(info.getID()).str();
    for (const auto &check : checks_)
      check->diagnostic({*offset, option, text.str()}, context_);
  }

  /// An error before any file is read means that the arguments are wrong.
  const std::string &argumentError() const { return argumentError_; }

private:
  void addError(const clang::Diagnostic &info, std::string message) {
    if (!info.hasSourceManager() || info.getLocation().isInvalid()) {
      // "too many errors" has no place either.
      if (argumentError_.empty() && outcome_.errors.empty())
        argumentError_ = message;
    }
    if (outcome_.errors.size() >= kMaxErrors)
      return;
    Finding error{"clang", request_.path, 0, 0, std::move(message)};
    std::size_t offset = std::string::npos;
    if (info.hasSourceManager() && info.getLocation().isValid()) {
      const clang::SourceManager &sources = info.getSourceManager();
      clang::SourceLocation place = sources.getFileLoc(info.getLocation());
      if (auto inUnit = context_.fileOffset(place)) {
        offset = *inUnit;
        LineColumn position = lineColumn(request_.text, offset);
        error.line = position.line;
        error.column = position.column;
      } else {
        error.file = sources.getFilename(place).str();
        error.line = sources.getSpellingLineNumber(place);
        error.column = sources.getSpellingColumnNumber(place);
      }
    }
    outcome_.errors.push_back(std::move(error));
    outcome_.errorOffsets.push_back(offset);
  }

  const CheckRequest &request_;
  const CheckList &checks_;
  Context &context_;
  CheckOutcome &outcome_;
  std::string argumentError_;
};

/// Watches the macros of own text: pragmas written elsewhere, and facts about the compiler.
class MacroWatcher : public clang::PPCallbacks {
public:
  MacroWatcher(clang::Preprocessor &preprocessor, const CheckList &checks, Context &context)
      : preprocessor_(preprocessor), checks_(checks), context_(context) {}

  void PragmaDirective(clang::SourceLocation location, clang::PragmaIntroducerKind kind) override {
    if (kind == clang::PIK_HashPragma || !location.isMacroID())
      return; // text() sees it
    clang::SourceLocation spelling = context_.sources().getSpellingLoc(location);
    auto offset = context_.ownOffset(location);
    if (!offset || context_.isOwn(spelling))
      return;
    PragmaView view{*offset, false, {}};
    // The preprocessor is about to read the pragma's text from its scratch space.
    if (const auto *lexer = static_cast<clang::Lexer *>(preprocessor_.getCurrentLexer())) {
      llvm::StringRef rest(lexer->getBufferLocation());
      view.text = rest.take_until([](char c) { return c == '\n'; }).trim().str();
      view.readable = !view.text.empty();
    }
    for (const auto &check : checks_)
      check->pragma(view, context_);
  }

  void MacroExpands(const clang::Token &name, const clang::MacroDefinition &definition, clang::SourceRange,
                    const clang::MacroArgs *) override {
    const auto offset = context_.ownOffset(context_.sources().getSpellingLoc(name.getLocation()));
    const clang::MacroInfo *info = definition.getMacroInfo();
    if (!offset || !info || context_.lexemes().isInDirective(*offset))
      return;
    const bool isPredefined =
        info->isBuiltinMacro() || context_.sources().isWrittenInBuiltinFile(info->getDefinitionLoc());
    const MacroView view{*offset, name.getIdentifierInfo()->getName(), isPredefined};
    for (const auto &check : checks_)
      check->macro(view, context_);
  }

private:
  clang::Preprocessor &preprocessor_;
  const CheckList &checks_;
  Context &context_;
};

class Consumer : public clang::ASTConsumer {
public:
  Consumer(const CheckList &checks, Context &context) : checks_(checks), context_(context) {}

  /// Bodies that std's templates instantiate from own text must be seen: the lambda that an algorithm calls.
  bool shouldSkipFunctionBody(clang::Decl *decl) override {
    return !context_.isMainFile(decl->getLocation()) && !(decl->isTemplated() && isOfLibrary(*decl));
  }

  void HandleTranslationUnit(clang::ASTContext &ast) override {
    if (ast.getDiagnostics().hasErrorOccurred())
      return;
    context_.enterAst(ast);
    traverseOwnText(checks_, context_);
    for (const auto &check : checks_)
      check->finish(context_);
  }

private:
  static bool isOfLibrary(const clang::Decl &decl) {
    const clang::DeclContext *outer = decl.getDeclContext();
    while (outer && outer->getParent() && !outer->getParent()->isTranslationUnit())
      outer = outer->getParent();
    const auto *space = llvm::dyn_cast_or_null<clang::NamespaceDecl>(outer);
    return space && (space->isStdNamespace() || space->getName() == "__gnu_cxx");
  }

  const CheckList &checks_;
  Context &context_;
};

class Action : public clang::ASTFrontendAction {
public:
  Action(const CheckList &checks, Context &context) : checks_(checks), context_(context) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
    tooManyTokens_ = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0");
    context_.enterFile(compiler.getSourceManager());
    compiler.getFrontendOpts().SkipFunctionBodies = true;
    clang::Preprocessor &preprocessor = compiler.getPreprocessor();
    preprocessor.addPPCallbacks(std::make_unique<MacroWatcher>(preprocessor, checks_, context_));
    preprocessor.setTokenWatcher([this, &preprocessor](const clang::Token &token) {
      if (!context_.isOwn(token.getLocation()))
        return;
      for (const auto &check : checks_)
        check->token(token, context_);
      countToken(token, preprocessor);
    });
    return std::make_unique<Consumer>(checks_, context_);
  }

private:
  /// Macros of a few lines can expand to more than memory holds, so the parser is told that the file ends here.
  void countToken(const clang::Token &token, clang::Preprocessor &preprocessor) {
    using namespace clang::tok;
    runOfTokens_ = token.isOneOf(semi, comma, l_brace, r_brace) ? 0 : runOfTokens_ + 1;
    if (++ownTokens_ == kMaxOwnTokens)
      tooBig_ = "the text expands to more than 500000 tokens";
    if (runOfTokens_ == kMaxRunOfTokens)
      tooBig_ = "an expression of more than 4096 tokens";
    if (!tooBig_.empty())
      endParse(preprocessor, token.getLocation());
  }

  void endParse(clang::Preprocessor &preprocessor, clang::SourceLocation location) {
    if (!std::exchange(isEnded_, true))
      preprocessor.getDiagnostics().Report(location, tooManyTokens_) << tooBig_;
    auto end = std::make_unique<clang::Token[]>(1);
    end[0].startToken();
    end[0].setKind(clang::tok::eof);
    end[0].setLocation(location);
    preprocessor.EnterTokenStream(std::move(end), 1, /*DisableMacroExpansion=*/true, /*IsReinject=*/false);
  }

  std::size_t ownTokens_ = 0, runOfTokens_ = 0;
  std::string tooBig_;
  bool isEnded_ = false;
  unsigned tooManyTokens_ = 0;
  const CheckList &checks_;
  Context &context_;
};

std::vector<std::string> commandLine(const CheckRequest &request, const std::string &file) {
  std::vector<std::string> command = {"clang++", "--driver-mode=g++", "-fsyntax-only"};
  bool hasResourceDir = false, hasLanguage = false;
  for (const std::string &argument : request.arguments) {
    bool isForPreprocessor = argument.starts_with("-Wp,");
    if ((argument.starts_with("-W") && !isForPreprocessor) || argument == "-w" || argument.starts_with("-pedantic"))
      continue;
    hasResourceDir |= argument.starts_with("-resource-dir");
    hasLanguage |= argument.starts_with("-x");
    command.push_back(argument);
  }
  if (!hasResourceDir)
    command.insert(command.end(), {"-resource-dir", AGENTIC_CLANG_RESOURCE_DIR});
  // A candidate is hostile, so loops of the compiler itself are bounded.
  if (!request.kernelSymbol.empty())
    command.insert(command.end(), {"-fconstexpr-steps=1048576", "-fconstexpr-depth=512", "-ftemplate-depth=1024",
                                   "-fbracket-depth=256"});
  command.insert(command.end(), {"-ferror-limit=20", "-fno-caret-diagnostics", "-Wno-everything",
                                 "-Wunknown-attributes", "-Wignored-attributes", "-Wunknown-pragmas",
                                 "-Wignored-pragmas", "-Wuninitialized", "-Wsometimes-uninitialized",
                                 "-Wuninitialized-const-reference", "-Wreturn-stack-address", "-Wdangling"});
  if (!hasLanguage)
    command.insert(command.end(), {"-x", "c++"});
  command.push_back(file);
  return command;
}

} // namespace

Result<void> parseUnit(const CheckRequest &request, const CheckList &checks, Context &context, CheckOutcome &outcome) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> overlay(
      new llvm::vfs::OverlayFileSystem(llvm::vfs::createPhysicalFileSystem()));
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory(new llvm::vfs::InMemoryFileSystem);
  overlay->pushOverlay(memory);
  if (!request.workingDirectory.empty() && overlay->setCurrentWorkingDirectory(request.workingDirectory))
    return userError("the working directory '" + request.workingDirectory + "' of the compile command does not exist",
                     "configure the project again");
  llvm::SmallString<256> file(request.path);
  if (overlay->makeAbsolute(file))
    return userError("'" + request.path + "' has no absolute path", "give an absolute path");
  memory->addFile(file, 0, llvm::MemoryBuffer::getMemBuffer(request.text, file));

  Diagnostics diagnostics(request, checks, context, outcome);
  llvm::IntrusiveRefCntPtr<clang::FileManager> files(new clang::FileManager(clang::FileSystemOptions(), overlay));
  clang::tooling::ToolInvocation invocation(commandLine(request, file.str().str()),
                                            std::make_unique<Action>(checks, context), files.get());
  invocation.setDiagnosticConsumer(&diagnostics);
  bool succeeded = false;
  llvm::thread(std::optional<unsigned>(kStackBytes), [&] { succeeded = invocation.run(); }).join();
  if (!diagnostics.argumentError().empty())
    return userError("clang refuses the compile command of '" + request.path + "': " + diagnostics.argumentError(),
                     "look at the flags of its target");
  if (!succeeded && outcome.errors.empty())
    return bugError("clang could not parse '" + request.path + "' and gave no reason");
  return {};
}

} // namespace agentic::checks
