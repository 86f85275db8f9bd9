#include "tool/source/extract/extract_unit.h"

#include "tool/base/files.h"
#include "tool/base/text.h"

#include "clang/AST/DeclTemplate.h"

#include <algorithm>
#include <array>

namespace agentic {
namespace {

constexpr std::array<std::string_view, 16> kSpecifiers = {
    "static",         "inline",  "extern",   "constexpr",  "const",     "volatile",  "typedef",      "__extension__",
    "AGENTIC_KERNEL", "virtual", "__inline", "__inline__", "consteval", "constinit", "thread_local", "__restrict"};
constexpr std::array<std::string_view, 4> kAttributeNames = {"__attribute__", "__attribute", "alignas", "__declspec"};

/// Returns whether the macro gives only specifiers or attributes: it cannot have ended a declaration or opened a scope.
bool isSpecifierMacro(const ParsedUnit &unit, std::size_t offset) {
  const auto &uses = unit.record.uses;
  const auto use = std::ranges::find_if(uses, [&](const MacroUse &candidate) { return candidate.offset == offset; });
  if (use == uses.end())
    return false;
  return std::ranges::none_of(use->definition->tokens(), [](const clang::Token &token) {
    return token.isOneOf(clang::tok::l_brace, clang::tok::r_brace, clang::tok::semi);
  });
}

/// Returns where the attribute, specifier or template header that ends before `index` begins; `index` if there is none.
std::size_t previousSpecifier(const ParsedUnit &unit, std::size_t index) {
  const LexedText &lexed = unit.lexed;
  const std::size_t last = index - 1;
  if (lexed.is(last, ")") || lexed.is(last, "]")) {
    const std::size_t open = lexed.opening(last);
    if (open == std::string::npos || open == 0)
      return index;
    if (lexed.is(last, "]"))
      return lexed.is(open + 1, "[") ? open : index;
    const bool isAttribute = std::ranges::find(kAttributeNames, lexed.spelling(open - 1)) != kAttributeNames.end();
    return isAttribute || isSpecifierMacro(unit, lexed.tokens[open - 1].begin) ? open - 1 : index;
  }
  if (lexed.is(last, ">")) {
    for (std::size_t i = last; i-- > 0 && !lexed.is(i, ";") && !lexed.is(i, "}");)
      if (lexed.is(i, "template"))
        return i;
    return index;
  }
  if (last > 0 && lexed.is(last, "\"C\"") && lexed.is(last - 1, "extern"))
    return last - 1;
  const bool isSpecifier = std::ranges::find(kSpecifiers, lexed.spelling(last)) != kSpecifiers.end();
  return isSpecifier || (lexed.isIdentifier(last) && isSpecifierMacro(unit, lexed.tokens[last].begin)) ? last : index;
}

const clang::Stmt *bodyOf(const clang::Decl &declaration) {
  const clang::FunctionDecl *function = declaration.getAsFunction();
  return function && function->isThisDeclarationADefinition() && !function->isDefaulted() ? function->getBody()
                                                                                          : nullptr;
}

} // namespace

bool ParsedUnit::isInSource(clang::SourceLocation location) const {
  return location.isValid() && sources().isWrittenInMainFile(sources().getExpansionLoc(location));
}

std::size_t ParsedUnit::offset(clang::SourceLocation location) const {
  return sources().getFileOffset(sources().getExpansionLoc(location));
}

std::string ParsedUnit::position(clang::SourceLocation location) const {
  const clang::SourceLocation place = sources().getExpansionLoc(location);
  return sources().getFilename(place).str() + ":" + std::to_string(sources().getSpellingLineNumber(place)) + ":" +
         std::to_string(sources().getSpellingColumnNumber(place)) + ": ";
}

ByteRange ParsedUnit::declarationRange(const clang::Decl &declaration) const {
  std::size_t first = lexed.tokenAt(offset(declaration.getBeginLoc()));
  while (first > 0) {
    const bool behindDirective = std::ranges::any_of(
        lexed.directives, [&](const LexDirective &directive) { return directive.nextToken == first; });
    const std::size_t previous = behindDirective ? first : previousSpecifier(*this, first);
    if (previous == first)
      break;
    first = previous;
  }
  const clang::Stmt *body = bodyOf(declaration);
  const clang::SourceLocation endLocation =
      sources().getExpansionRange(body ? body->getEndLoc() : declaration.getEndLoc()).getEnd();
  const std::size_t last = std::min(lexed.tokenAt(offset(endLocation)), lexed.tokens.size() - 1);
  ByteRange range = {lexed.tokens[std::min(first, last)].begin, lexed.tokens[last].end};
  if (body && !lexed.is(last + 1, ";"))
    return range;
  for (std::size_t i = last + 1; i < lexed.tokens.size() && !lexed.is(i, "}"); ++i) {
    if (lexed.is(i, ";")) {
      if (!body)
        range.end = lexed.tokens[i].end;
      break;
    }
    // A macro wrote it without a semicolon: the next declaration begins here.
    if (endLocation.isValid() && declaration.getLocation().isMacroID())
      break;
    if (lexed.is(i, "(") || lexed.is(i, "[") || lexed.is(i, "{"))
      i = lexed.closing(i);
  }
  return range;
}

std::vector<std::string> ParsedUnit::namespacesOf(const clang::DeclContext *context) {
  std::vector<std::string> names;
  for (; context && !context->isTranslationUnit(); context = context->getLexicalParent())
    if (const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(context))
      names.push_back(space->getNameAsString());
  std::ranges::reverse(names);
  return names;
}

void addProjectHeader(const ParsedUnit &unit, clang::SourceLocation location, std::set<std::string> &headers) {
  const clang::SourceManager &sources = unit.sources();
  const clang::SourceLocation place = sources.getFileLoc(location);
  if (place.isInvalid() || sources.isInSystemHeader(place) || sources.isWrittenInMainFile(place))
    return;
  const clang::OptionalFileEntryRef file = sources.getFileEntryRefForID(sources.getFileID(place));
  if (!file)
    return;
  llvm::SmallString<256> path(file->getName());
  sources.getFileManager().makeAbsolutePath(path);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  // Files that the build generates differ between trees, so they cannot be part of a checked-in file.
  const std::string &buildFolder = unit.request.command.directory;
  const std::string name(path.str());
  const bool generated = isBelow(name, buildFolder) && !isBelow(unit.request.source, buildFolder);
  if (isBelow(name, unit.request.projectRoot) && !generated)
    headers.insert(name);
}

} // namespace agentic
