#include "tool/source/parse/extract_preprocessor.h"

#include "tool/model/contract_clauses.h"
#include "tool/source/parse/parse_arguments.h"

#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/MacroArgs.h"
#include "clang/Lex/PPCallbacks.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <filesystem>

namespace agentic {
namespace {

class Recorder : public clang::PPCallbacks {
public:
  Recorder(clang::Preprocessor &preprocessor, PreprocessorRecord &record)
      : preprocessor_(preprocessor), sources_(preprocessor.getSourceManager()), record_(record) {}

  void MacroDefined(const clang::Token &name, const clang::MacroDirective *directive) override {
    clang::IdentifierInfo *identifier = name.getIdentifierInfo();
    if (!identifier || !isMarkerMacro(std::string_view(identifier->getName())))
      return;
    // The command line's definition is the first one seen.
    auto *definition = const_cast<clang::MacroInfo *>(directive->getMacroInfo());
    clang::MacroInfo *&ours = markers_.try_emplace(identifier, definition).first->second;
    if (definition != ours)
      preprocessor_.appendDefMacroDirective(identifier, ours);
  }
  void MacroExpands(const clang::Token &name, const clang::MacroDefinition &definition, clang::SourceRange range,
                    const clang::MacroArgs *) override {
    use(name, definition, range.getBegin());
    if (definition.getMacroInfo() && range.getBegin().isFileID() && range.getEnd().isFileID() &&
        sources_.isWrittenInMainFile(range.getBegin()) && sources_.isWrittenInMainFile(range.getEnd())) {
      const std::size_t last = sources_.getFileOffset(range.getEnd());
      const unsigned length = clang::Lexer::MeasureTokenLength(range.getEnd(), sources_, preprocessor_.getLangOpts());
      record_.expansions.push_back({sources_.getFileOffset(range.getBegin()), last + length,
                                    name.getIdentifierInfo()->getName().str(), definition.getMacroInfo()});
    }
  }
  void Defined(const clang::Token &name, const clang::MacroDefinition &definition, clang::SourceRange range) override {
    use(name, definition, range.getBegin());
  }
  void Ifdef(clang::SourceLocation, const clang::Token &name, const clang::MacroDefinition &definition) override {
    use(name, definition, name.getLocation());
  }
  void Ifndef(clang::SourceLocation, const clang::Token &name, const clang::MacroDefinition &definition) override {
    use(name, definition, name.getLocation());
  }
  void SourceRangeSkipped(clang::SourceRange range, clang::SourceLocation) override {
    if (sources_.isWrittenInMainFile(range.getBegin()))
      record_.skipped.push_back({sources_.getFileOffset(range.getBegin()), sources_.getFileOffset(range.getEnd())});
  }
  void InclusionDirective(clang::SourceLocation hash, const clang::Token &, llvm::StringRef file, bool isAngled,
                          clang::CharSourceRange, clang::OptionalFileEntryRef found, llvm::StringRef, llvm::StringRef,
                          const clang::Module *,
#if LLVM_VERSION_MAJOR >= 19
                          bool,
#endif
                          clang::SrcMgr::CharacteristicKind) override {
    if (sources_.isWrittenInMainFile(hash))
      record_.includes.push_back(quoted(file, isAngled));
    else if (found && isPrecompiledHeader(sources_.getFilename(hash)))
      record_.precompiled.push_back(spelling(file, isAngled));
  }

private:
  void use(const clang::Token &name, const clang::MacroDefinition &definition, clang::SourceLocation location) {
    const clang::SourceLocation outermost = sources_.getExpansionLoc(location);
    if (!definition.getMacroInfo() || !sources_.isWrittenInMainFile(outermost))
      return;
    record_.uses.push_back(
        {sources_.getFileOffset(outermost), name.getIdentifierInfo()->getName().str(), definition.getMacroInfo()});
  }

  static std::string quoted(llvm::StringRef file, bool isAngled) {
    return isAngled ? "<" + file.str() + ">" : "\"" + file.str() + "\"";
  }

  /// CMake writes a project's header with its absolute path, which no checked-in file may hold: the shortest name that
  /// the include folders (SOURCE's own is the first) permit is the same on every machine.
  std::string spelling(llvm::StringRef file, bool isAngled) {
    if (!llvm::sys::path::is_absolute(file))
      return quoted(file, isAngled);
    const llvm::StringRef source = sources_.getFilename(sources_.getLocForStartOfFile(sources_.getMainFileID()));
    const std::string shortest =
        preprocessor_.getHeaderSearchInfo().suggestPathToFileForDiagnostics(file, "", source, &isAngled);
    if (!llvm::sys::path::is_absolute(shortest))
      return quoted(shortest, isAngled);
    const std::filesystem::path folder = std::filesystem::path(source.str()).parent_path();
    return quoted(std::filesystem::path(file.str()).lexically_relative(folder).string(), false);
  }

  clang::Preprocessor &preprocessor_;
  const clang::SourceManager &sources_;
  PreprocessorRecord &record_;
  std::map<const clang::IdentifierInfo *, clang::MacroInfo *> markers_;
};

} // namespace

bool PreprocessorRecord::isSkipped(std::size_t offset) const {
  return std::ranges::any_of(skipped,
                             [&](const SkippedRange &range) { return range.begin <= offset && offset < range.end; });
}

void recordPreprocessor(clang::Preprocessor &preprocessor, PreprocessorRecord &record) {
  preprocessor.setTokenWatcher([&](const clang::Token &token) {
    const clang::SourceManager &sources = preprocessor.getSourceManager();
    const clang::SourceLocation place = sources.getExpansionLoc(token.getLocation());
    if (!token.isAnnotation() && token.getLocation().isMacroID() && sources.isWrittenInMainFile(place))
      record.tokens.push_back({sources.getFileOffset(place), token.hasLeadingSpace(), preprocessor.getSpelling(token)});
  });
  preprocessor.addPPCallbacks(std::make_unique<Recorder>(preprocessor, record));
}

} // namespace agentic
