// The parsed translation unit for the parts of extraction, and their private steps: select → closure → spec.
#pragma once

#include "tool/base/error.h"
#include "tool/model/kernel_spec.h"
#include "tool/source/extract/extract.h"
#include "tool/source/parse/extract_preprocessor.h"
#include "tool/source/parse/lexed_text.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace agentic {

struct ByteRange {
  std::size_t begin = 0, end = 0;
  bool contains(std::size_t offset) const { return begin <= offset && offset < end; }
};

struct ParsedUnit {
  const ExtractRequest &request;
  const LexedText &lexed; ///< tokens of SOURCE, LF
  clang::ASTContext &context;
  clang::Preprocessor &preprocessor;
  const PreprocessorRecord &record;

  const clang::SourceManager &sources() const { return context.getSourceManager(); }
  bool isC() const { return !context.getLangOpts().CPlusPlus; }
  bool isInSource(clang::SourceLocation location) const;
  std::size_t offset(clang::SourceLocation location) const; ///< offset of the expansion in SOURCE
  /// "src/x.cpp:12:3: "
  std::string position(clang::SourceLocation location) const;
  /// Returns the range from the first specifier, attribute, template header or marker to the body's brace or the
  /// semicolon.
  ByteRange declarationRange(const clang::Decl &declaration) const;
  /// Returns the names of the innermost namespaces of a declaration; "" = anonymous.
  static std::vector<std::string> namespacesOf(const clang::DeclContext *context);
};

/// Returns SOURCE, LF.
Result<std::string> sourceText(const ExtractRequest &request);

/// Calls `see` with the unit if `text`, in SOURCE's place, has no errors. Else returns them.
using SeeUnit = std::function<void(const ParsedUnit &)>;
std::string parseUnit(const ExtractRequest &request, const std::string &text, const SeeUnit &see);

/// extractKernel() of `text` in SOURCE's place.
Result<Extraction> extractFrom(const ExtractRequest &request, const std::string &text);

/// Returns all functions that SOURCE and what it includes declare outside functions, of templates their patterns; of
/// each its definition if there is one.
std::vector<const clang::FunctionDecl *> functionsOf(const ParsedUnit &unit);
bool isMarked(const clang::FunctionDecl &function);

/// Returns the marked function, whatever its shape. Errors: none marked, several, not found.
Result<const clang::FunctionDecl *> markedFunction(const ParsedUnit &unit);

/// Returns the kernel's definition. Errors: those of markedFunction; a refused shape.
Result<const clang::FunctionDecl *> selectKernel(const ParsedUnit &unit);

struct Closure {
  std::vector<Fragment> fragments;
  std::vector<ByteRange> ranges; ///< ranges of fragments[i] in SOURCE
  std::vector<ExternalFunction> externals;
  std::set<std::string> headers;                ///< project headers that declare something used
  std::set<const clang::ValueDecl *> constants; ///< variables and enumerators, of SOURCE and of headers
  std::vector<Finding> findings;                ///< uses in the kernel that no copy can replace
};
Closure collectClosure(const ParsedUnit &unit, const clang::FunctionDecl &kernel);

/// Adds the header of `location` if it is a project header.
void addProjectHeader(const ParsedUnit &unit, clang::SourceLocation location, std::set<std::string> &headers);

/// Parses the macros in front of the definition. Errors: those of parseContract; a macro on another declaration.
Result<Contract> extractContract(const ParsedUnit &unit, const clang::FunctionDecl &kernel);

/// Returns facts that variants rely on and no text shows. `macros`: names that the kernel and its closure expand.
std::vector<Guard> collectGuards(const ParsedUnit &unit, const clang::FunctionDecl &kernel,
                                 const std::set<std::string> &macros, const Closure &closure);
/// Returns the least value of __cplusplus, or of __STDC_VERSION__, under which code of this language compiles.
long leastStandard(const clang::LangOptions &options);

/// Fills the rest of the spec. Error: a preprocessor conditional that begins or ends within the kernel.
Result<KernelSpec> fillSpec(const ParsedUnit &unit, const clang::FunctionDecl &kernel, Closure closure);

} // namespace agentic
