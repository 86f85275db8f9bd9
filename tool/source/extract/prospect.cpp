#include "tool/source/extract/prospect.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/source/extract/extract_unit.h"
#include "tool/source/extract/wrap.h"

#include "clang/AST/Mangle.h"

#include <algorithm>

namespace agentic {
namespace {

constexpr std::string_view kMarker = "AGENTIC_KERNEL ";

class Finder {
public:
  Finder(const ParsedUnit &unit, const ProfiledFunction &profiled)
      : unit_(unit), profiled_(profiled), names_(unit.context) {}

  /// By its place, which templates have too; else by its name.
  const clang::FunctionDecl *find() {
    const std::vector<const clang::FunctionDecl *> all = functionsOf(unit_);
    const auto find = [&](auto is) -> const clang::FunctionDecl * {
      const auto found = std::ranges::find_if(all, is);
      return found == all.end() ? nullptr : *found;
    };
    if (profiled_.line > 0)
      if (const auto *found = find([&](const clang::FunctionDecl *function) { return isAtPlace(*function); }))
        return found;
    return find([&](const clang::FunctionDecl *function) { return isOfName(*function); });
  }

private:
  bool isAtPlace(const clang::FunctionDecl &function) const {
    const clang::SourceLocation place = unit_.sources().getExpansionLoc(function.getLocation());
    return function.isThisDeclarationADefinition() && unit_.sources().getSpellingLineNumber(place) == profiled_.line &&
           isSameFile(fileOf(place), profiled_.file);
  }
  std::string fileOf(clang::SourceLocation place) const {
    return absoluteIn(unit_.request.command.directory, unit_.sources().getFilename(place).str());
  }
  bool isOfName(const clang::FunctionDecl &function) {
    return function.isThisDeclarationADefinition() && function.getDeclName().isIdentifier() &&
           !function.isTemplated() && profiled_.linkageName.find(function.getNameAsString()) != std::string::npos &&
           names_.getName(&function) == profiled_.linkageName;
  }

  const ParsedUnit &unit_;
  const ProfiledFunction &profiled_;
  clang::ASTNameGenerator names_;
};

/// As FUNCTION takes it, which is compared with the end of the qualified name: "f" of "ns::(anonymous namespace)::f".
std::string writtenName(const clang::FunctionDecl &function) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  const std::string name = function.getQualifiedNameAsString();
  const std::size_t at = name.rfind(kAnonymous);
  return at == std::string::npos ? name : name.substr(at + kAnonymous.size());
}

/// Where the marker goes: in front of everything that Clang permits an attribute in front of.
std::size_t markerOffset(const ParsedUnit &unit, const clang::FunctionDecl &function) {
  const std::size_t begin = unit.declarationRange(function).begin;
  const std::string_view text = unit.lexed.text.substr(begin);
  const bool isBehind = startsWithAny(text, {"[[", "template", "extern \"C\"", "extern"});
  return isBehind ? unit.offset(function.getBeginLoc()) : begin;
}

/// Fills what the text of SOURCE tells. Returns the marker's offset.
std::size_t place(const ParsedUnit &unit, const clang::FunctionDecl &function, Prospect &prospect) {
  const std::string_view text = unit.lexed.text;
  const std::size_t offset = markerOffset(unit, function);
  const LineColumn position = lineColumn(text, offset);
  prospect.line = position.line;
  const std::string_view before = text.substr(offset - (position.column - 1), position.column - 1);
  prospect.column = trim(before).empty() ? 1 : position.column;
  prospect.needsDefinition = text.find("define AGENTIC_KERNEL") == std::string_view::npos &&
                             text.find("agentic_kernel.h") == std::string_view::npos;
  prospect.needsName = std::ranges::any_of(functionsOf(unit), [&](const clang::FunctionDecl *other) {
    return other != &function && isMarked(*other) && unit.isInSource(other->getLocation());
  });
  return offset;
}

/// Returns the marker's offset if the function is written in SOURCE and bears none.
std::optional<std::size_t> locate(const ParsedUnit &unit, const ProfiledFunction &profiled, Prospect &prospect) {
  const clang::FunctionDecl *function = Finder(unit, profiled).find();
  if (!function) {
    prospect.reason = "no function definition of that name is written there: it is a lambda, or compilers or macros "
                      "wrote it";
    prospect.next = "move the hot loops into a free function, mark that and call it";
    return std::nullopt;
  }
  prospect.function = writtenName(*function);
  if (isMarked(*function)) {
    prospect.kind = Prospect::Kind::Marked;
    return std::nullopt;
  }
  if (unit.isInSource(function->getLocation()))
    return place(unit, *function, prospect);
  prospect.reason = kInHeader;
  prospect.next = kOutOfHeader;
  return std::nullopt;
}

} // namespace

Result<Prospect> prospectOf(const ExtractRequest &request, const ProfiledFunction &profiled) {
  const std::string text = TRY(sourceText(request));
  Prospect prospect;
  bool isParsed = false;
  std::optional<std::size_t> offset;
  const std::string errors = parseUnit(request, text, [&](const ParsedUnit &unit) {
    isParsed = true;
    offset = locate(unit, profiled, prospect);
  });
  if (!isParsed)
    return userError(
        "Clang cannot parse " + request.source + ": " + errors,
        "keep what only your compiler accepts out of this file, or move the function to a file of its own");
  if (!offset)
    return prospect;
  ExtractRequest marked = request;
  marked.function = prospect.function;
  std::string markedText = text;
  markedText.insert(*offset, kMarker);
  Result<Extraction> extraction = extractFrom(marked, markedText);
  if (extraction) {
    prospect.kind = Prospect::Kind::Kernel;
    prospect.marked = std::move(markedText);
    prospect.extraction = std::move(*extraction);
    return prospect;
  }
  prospect.reason = extraction.error().message;
  prospect.next = extraction.error().next;
  if (const Result<Wrapping> wrapping = wrapFrom(marked, markedText))
    prospect.kind = Prospect::Kind::Wrapper;
  else if (prospect.next.starts_with("'agentic-kernel wrap")) // it would, but the result is no kernel either
    prospect.next = wrapping.error().next + " (" + wrapping.error().message + ")";
  return prospect;
}

} // namespace agentic
