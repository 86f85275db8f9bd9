#include "tool/source/extract/resolved_text.h"

#include "tool/model/contract_clauses.h"

#include <algorithm>
#include <map>
#include <set>

namespace agentic {
namespace {

/// Returns the tokens that each macro use leaves, by the offset of the use.
std::map<std::size_t, std::string> expandedTexts(const PreprocessorRecord &record, const ByteRange &range) {
  std::map<std::size_t, std::string> texts;
  for (const ExpandedToken &token : record.tokens) {
    if (!range.contains(token.offset))
      continue;
    std::string &text = texts[token.offset];
    if (!text.empty() && (token.isSpaced || wouldJoin(text.back(), token.spelling.front())))
      text += ' ';
    text += token.spelling;
  }
  return texts;
}

} // namespace

std::optional<LexToken> nameBehindUndef(const ParsedUnit &unit, const ByteRange &range) {
  const auto isInside = [&](std::size_t offset) { return range.contains(offset) && !unit.record.isSkipped(offset); };
  std::set<std::size_t> uses;
  for (const MacroUse &use : unit.record.uses)
    uses.insert(use.offset);
  for (const LexDirective &directive : unit.lexed.directives) {
    if (directive.keyword != "undef" || directive.tokens.empty() || !isInside(directive.begin))
      continue;
    const std::string_view name = unit.lexed.spelling(directive.tokens.front());
    const bool isOwn = std::ranges::any_of(unit.lexed.directives, [&](const LexDirective &other) {
      return other.keyword == "define" && isInside(other.begin) && other.begin < directive.begin &&
             !other.tokens.empty() && unit.lexed.spelling(other.tokens.front()) == name;
    });
    for (std::size_t i = directive.nextToken; !isOwn && i < unit.lexed.tokens.size(); ++i)
      if (const LexToken &token = unit.lexed.tokens[i];
          unit.lexed.spelling(token) == name && isInside(token.begin) && !uses.contains(token.begin))
        return token;
  }
  return std::nullopt;
}

void leaveOutConditionals(const ParsedUnit &unit, const ByteRange &range,
                          const std::function<bool(const std::vector<std::size_t> &group)> &isMeant,
                          SourceEdits &edits) {
  const std::vector<LexDirective> &directives = unit.lexed.directives;
  for (const std::vector<std::size_t> &group : conditionalsOf(unit.lexed).groups) {
    if (!range.contains(directives[group.front()].begin) || !isMeant(group))
      continue;
    for (std::size_t i = 0; i < group.size(); ++i) {
      const LexDirective &directive = directives[group[i]];
      edits.leaveOut(unit.lexed.text, {directive.begin, directive.end});
      if (i + 1 == group.size())
        continue;
      const ByteRange branch = {directive.end, directives[group[i + 1]].begin};
      if (unit.record.isSkipped(branch.end - 1)) // a skipped range ends somewhere in the line of the taken branch
        edits.leaveOut(unit.lexed.text, branch);
    }
  }
}

ResolvedText::ResolvedText(const ParsedUnit &unit, const ByteRange &range, std::size_t body, const ByteRange &qualifier)
    : unit_(unit), range_(range) {
  if (qualifier.begin < qualifier.end)
    leaveOut(qualifier);
  leaveOutConditionals(unit, range, [](const std::vector<std::size_t> &) { return true; }, edits_);
  addLocalMacros();
  addExpansions(body);
  edits_.settle();
  text_ = edits_.applied(unit.lexed.text, range);
}

/// Leaves out `#define` and `#undef`, except of what a pragma names: that is not expanded here.
void ResolvedText::addLocalMacros() {
  std::set<std::string_view> inPragmas;
  for (const LexDirective &directive : unit_.lexed.directives)
    if (range_.contains(directive.begin) && directive.keyword == "pragma")
      for (const LexToken &token : directive.tokens)
        inPragmas.insert(unit_.lexed.spelling(token));
  for (const LexDirective &directive : unit_.lexed.directives) {
    const bool isMacro = directive.keyword == "define" || directive.keyword == "undef";
    if (range_.contains(directive.begin) && isMacro && !directive.tokens.empty() &&
        !inPragmas.contains(unit_.lexed.spelling(directive.tokens.front())))
      leaveOut({directive.begin, directive.end});
  }
}

/// Returns the offsets of uses of macros that are defined inside, or into whose text such a macro goes.
std::set<std::size_t> ResolvedText::usesOfLocalMacros() const {
  std::set<std::size_t> offsets;
  for (const MacroUse &use : unit_.record.uses)
    if (range_.contains(use.offset) && isLocal(*use.definition))
      offsets.insert(use.offset);
  return offsets;
}

bool ResolvedText::isLocal(const clang::MacroInfo &macro) const {
  const clang::SourceLocation place = macro.getDefinitionLoc();
  return unit_.isInSource(place) && range_.contains(unit_.offset(place));
}

void ResolvedText::addExpansions(std::size_t body) {
  const std::set<std::size_t> local = usesOfLocalMacros();
  const std::map<std::size_t, std::string> texts = expandedTexts(unit_.record, range_);
  for (const MacroExpansion &use : unit_.record.expansions) {
    const bool isInDirective = std::ranges::any_of(unit_.lexed.directives, [&](const LexDirective &directive) {
      return directive.begin <= use.begin && use.begin < directive.end;
    });
    if (!range_.contains(use.begin) || isMarkerMacro(use.name) || isInDirective)
      continue;
    const auto inside = local.lower_bound(use.begin); // its arguments included
    const bool usesLocal = inside != local.end() && *inside < use.end;
    if (!usesLocal && !(use.begin < body && use.definition->isFunctionLike()))
      continue;
    const auto found = texts.find(use.begin);
    const std::string_view written = unit_.lexed.text.substr(use.begin, use.end - use.begin);
    std::string text = found == texts.end() ? "" : found->second;
    text.append(static_cast<std::size_t>(std::ranges::count(written, '\n')), '\n');
    edits_.replace({use.begin, use.end}, std::move(text));
  }
}

} // namespace agentic
