#include "tool/source/extract/copy_text.h"

#include "tool/base/text.h"
#include "tool/source/extract/resolved_text.h"

#include "clang/AST/RecursiveASTVisitor.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace agentic {
namespace {

constexpr std::string_view kNoPacking = "";

/// What `#pragma pack` of SOURCE says, as it goes on: "1", or kNoPacking.
class Packing {
public:
  void see(const ParsedUnit &unit, const LexDirective &directive) {
    std::vector<std::string_view> words;
    for (const LexToken &token : directive.tokens)
      words.push_back(unit.lexed.spelling(token));
    if (directive.keyword != "pragma" || words.size() < 3 || words[0] != "pack" || words[1] != "(")
      return;
    std::string_view number;
    for (const std::string_view word : words)
      if (std::isdigit(static_cast<unsigned char>(word.front())))
        number = word;
    const bool pushes = words[2] == "push", pops = words[2] == "pop";
    if (pushes)
      outer_.push_back(now_);
    if (pops && !outer_.empty()) {
      now_ = outer_.back();
      outer_.pop_back();
    }
    if (!number.empty() || (!pushes && !pops))
      now_ = number;
  }
  std::string_view now() const { return now_; }

private:
  std::string_view now_ = kNoPacking;
  std::vector<std::string_view> outer_;
};

/// Returns the packing before an offset.
std::string_view packingAt(const ParsedUnit &unit, std::size_t offset) {
  Packing packing;
  for (const LexDirective &directive : unit.lexed.directives)
    if (directive.begin < offset && !unit.record.isSkipped(directive.begin))
      packing.see(unit, directive);
  return packing.now();
}

/// Returns whether a conditional asks for none of the names that compilers define.
bool isOfTheProject(const ParsedUnit &unit, const std::vector<std::size_t> &group) {
  return std::ranges::none_of(group, [&](std::size_t i) {
    const std::vector<LexToken> &tokens = unit.lexed.directives[i].tokens;
    return std::ranges::any_of(tokens,
                               [&](const LexToken &token) { return unit.lexed.spelling(token).starts_with('_'); });
  });
}

class NamesOfTheFunction : public clang::RecursiveASTVisitor<NamesOfTheFunction> {
public:
  explicit NamesOfTheFunction(const ParsedUnit &unit) : unit_(unit) {}
  bool VisitPredefinedExpr(clang::PredefinedExpr *expression) {
    if (expression->getBeginLoc().isFileID() && unit_.isInSource(expression->getBeginLoc()))
      found.push_back({unit_.offset(expression->getBeginLoc()), expression->getIdentKindName().str()});
    return true;
  }
  std::vector<std::pair<std::size_t, std::string>> found;

private:
  const ParsedUnit &unit_;
};

} // namespace

std::string copyText(const ParsedUnit &unit, const ByteRange &range, Fragment::Kind kind) {
  if (kind == Fragment::Kind::Macro || kind == Fragment::Kind::Directive)
    return {};
  SourceEdits edits;
  leaveOutConditionals(
      unit, range, [&](const std::vector<std::size_t> &group) { return isOfTheProject(unit, group); }, edits);
  edits.settle();
  const std::string_view written = unit.lexed.text.substr(range.begin, range.end - range.begin);
  std::string text = edits.applied(unit.lexed.text, range);
  const std::string packing(packingAt(unit, range.begin));
  if (packing != packingAt(unit, unit.lexed.text.size()))
    text = "\n#pragma pack(push)\n#pragma pack(" + packing + ")\n" + text + "\n#pragma pack(pop)\n";
  return text == written ? std::string() : text;
}

std::vector<DecidedConditional> decidedConditionals(const ParsedUnit &unit, const std::vector<bool> &isInPrelude) {
  std::vector<DecidedConditional> decided;
  const std::vector<LexDirective> &directives = unit.lexed.directives;
  for (const std::vector<std::size_t> &group : conditionalsOf(unit.lexed).groups) {
    if (isInPrelude[group.front()] || !isOfTheProject(unit, group))
      continue;
    DecidedConditional conditional;
    for (const std::size_t i : group)
      conditional.directives.push_back(
          tokenText(unit.lexed.text.substr(directives[i].begin, directives[i].end - directives[i].begin)));
    while (conditional.taken + 1 < group.size() &&
           unit.record.isSkipped(directives[group[conditional.taken + 1]].begin - 1))
      ++conditional.taken;
    decided.push_back(std::move(conditional));
  }
  return decided;
}

std::vector<Finding> wordsOfPlace(const ParsedUnit &unit, const clang::FunctionDecl &kernel) {
  constexpr std::array<std::string_view, 9> kMacros = {"__LINE__", "__FILE__",      "__FILE_NAME__",
                                                       "__TIME__", "__BASE_FILE__", "__COUNTER__",
                                                       "__DATE__", "__TIMESTAMP__", "__INCLUDE_LEVEL__"};
  const ByteRange range = unit.declarationRange(kernel);
  NamesOfTheFunction names(unit);
  names.TraverseDecl(const_cast<clang::FunctionDecl *>(&kernel));
  for (const MacroExpansion &use : unit.record.expansions)
    if (range.contains(use.begin) && use.definition->isBuiltinMacro() &&
        std::ranges::find(kMacros, use.name) != kMacros.end())
      names.found.push_back({use.begin, use.name});
  std::vector<Finding> findings;
  for (const auto &[offset, word] : names.found) {
    const LineColumn place = lineColumn(unit.lexed.text, offset);
    findings.push_back({"build-mode", unit.request.source, place.line, place.column,
                        "'" + word +
                            "' says where this text stands, which is elsewhere in a variant; write it in the "
                            "function that calls the kernel, or leave it out"});
  }
  return findings;
}

} // namespace agentic
