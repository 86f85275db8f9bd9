#include "tool/source/nest/parse.h"

#include "tool/base/text.h"
#include "tool/model/contract_clauses.h"
#include "tool/source/nest/ast.h"
#include "tool/source/parse/extract_preprocessor.h"
#include "tool/source/parse/kernel_parse.h"
#include "tool/source/parse/lexed_text.h"

#include <algorithm>
#include <map>

namespace agentic {
namespace {

/// What a macro's use leaves of itself.
struct Expansion {
  std::string text;
  bool isStatement = false; ///< it holds a whole statement, or changes something
};

std::map<std::size_t, Expansion> expansionsIn(const PreprocessorRecord &record) {
  std::map<std::size_t, Expansion> expansions;
  for (const ExpandedToken &token : record.tokens) {
    auto &[text, isStatement] = expansions[token.offset];
    if (!text.empty() && (token.isSpaced || wouldJoin(text.back(), token.spelling.front())))
      text += ' ';
    text += token.spelling;
    isStatement |= isOneOf(token.spelling,
                           {";", "{", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"});
  }
  return expansions;
}

/// Macros of SOURCE that stand for statements hide them from the moves: the edits put the statements in their place.
/// Those of headers stay, because variants would not notice that a header has changed.
std::vector<moves::Edit> statementMacros(const ParsedKernel &kernel, const PreprocessorRecord &record,
                                         std::string_view text) {
  constexpr std::size_t kLongest = 1 << 16;
  const clang::SourceManager &sources = kernel.context.getSourceManager();
  std::map<std::size_t, Expansion> expansions = expansionsIn(record);
  const auto isForeign = [&](const MacroUse &use) {
    return use.definition->isFunctionLike() && !sources.isWrittenInMainFile(use.definition->getDefinitionLoc());
  };
  const auto isInDirective = [&](std::size_t at) {
    const std::size_t line = text.rfind('\n', at) + 1; // 0 behind npos
    return text.substr(text.find_first_not_of(" \t", line)).starts_with('#');
  };
  std::vector<moves::Edit> edits;
  for (const MacroExpansion &use : record.expansions) {
    if (use.begin < kernel.begin || use.end > kernel.begin + text.size() || !use.definition->isFunctionLike() ||
        isMarkerMacro(use.name) || isInDirective(use.begin - kernel.begin))
      continue;
    const moves::Range place = {use.begin - kernel.begin, use.end - kernel.begin};
    const auto found = expansions.find(use.begin);
    const bool isInside = !edits.empty() && edits.back().range.contains(place);
    if (isInside || found == expansions.end() || !found->second.isStatement || found->second.text.size() > kLongest ||
        std::ranges::any_of(record.uses, [&](const MacroUse &part) {
          return use.begin <= part.offset && part.offset < use.end && isForeign(part);
        }))
      continue;
    edits.push_back({place, " " + found->second.text + " "});
  }
  std::ranges::sort(edits, {}, [](const moves::Edit &edit) { return edit.range.begin; });
  return edits;
}

/// What stands in the way of the moves, and can be written otherwise.
struct Rewritings {
  std::vector<moves::Edit> macros, variables;
};

Result<std::unique_ptr<moves::Nest>> parsed(const KernelSpec &spec, const std::string &text, Rewritings *rewritings,
                                            Preambles *preambles = nullptr) {
  std::unique_ptr<moves::Nest> nest;
  PreprocessorRecord record;
  const auto build = [&](const ParsedKernel &kernel) {
    nest = moves::buildNest(kernel.context, kernel.function, kernel.unit, text, kernel.begin);
    if (rewritings) {
      const moves::TextMap map(kernel.context, kernel.begin, text.size());
      rewritings->macros = statementMacros(kernel, record, text);
      rewritings->variables = moves::loopVariableEdits(kernel.function, map, *nest);
      const std::vector<moves::Edit> others = moves::iterationVariableEdits(kernel.function, map, *nest);
      rewritings->variables.insert(rewritings->variables.end(), others.begin(), others.end());
      std::ranges::sort(rewritings->variables, {}, [](const moves::Edit &edit) { return edit.range.begin; });
    }
    for (const AliasPair &pair : spec.contract.mayAlias)
      nest->mayAlias.emplace_back(pair.first, pair.second);
    nest->multiples = requiredMultiples(spec.contract);
  };
  const Result<void> parsed =
      parseKernel(spec, text, "the built-in search", build, rewritings ? &record : nullptr, preambles);
  if (!parsed)
    return std::unexpected(parsed.error());
  return nest;
}

/// Returns the nest of the edited text, whose own rewritings replace the present ones; `nest` if it does not parse.
std::unique_ptr<moves::Nest> edited(const KernelSpec &spec, std::unique_ptr<moves::Nest> nest,
                                    const std::vector<moves::Edit> &edits, Rewritings *rewritings) {
  Rewritings next;
  auto other = parsed(spec, moves::applyEdits(nest->text, {0, nest->text.size()}, edits), rewritings ? &next : nullptr);
  if (!other)
    return nest;
  if (rewritings)
    *rewritings = std::move(next);
  return std::move(*other);
}

} // namespace

Result<std::unique_ptr<moves::Nest>> parseLoopNest(const KernelSpec &spec, const std::string &text,
                                                   Preambles *preambles) {
  return parsed(spec, text, nullptr, preambles);
}

Result<std::unique_ptr<moves::Nest>> parseAuthorsLoopNest(const KernelSpec &spec, const std::string &text) {
  Rewritings rewritings;
  auto nest = TRY(parsed(spec, text, &rewritings));
  if (const std::vector<moves::Edit> macros = rewritings.macros; !macros.empty())
    nest = edited(spec, std::move(nest), macros, &rewritings);
  if (!rewritings.variables.empty())
    nest = edited(spec, std::move(nest), rewritings.variables, nullptr); // C90 has no such loops
  return nest;
}

} // namespace agentic
