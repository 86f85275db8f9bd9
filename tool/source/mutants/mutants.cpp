#include "tool/source/mutants/mutants.h"

#include "tool/base/text.h"
#include "tool/source/mutants/mutants_ast.h"
#include "tool/source/parse/kernel_parse.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace agentic {
namespace mutants {
namespace {

constexpr std::size_t kLongestQuote = 72;

/// Returns whether the expression binds at least as tightly as any operator.
bool standsAlone(const clang::Expr *expression) {
  return llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral, clang::FloatingLiteral, clang::ArraySubscriptExpr,
                   clang::MemberExpr, clang::CallExpr, clang::ParenExpr, clang::CXXBoolLiteralExpr,
                   clang::CXXNamedCastExpr>(expression->IgnoreImplicit()) &&
         (!llvm::isa<clang::CXXOperatorCallExpr>(expression->IgnoreImplicit()) ||
          llvm::cast<clang::CXXOperatorCallExpr>(expression->IgnoreImplicit())->getOperator() == clang::OO_Subscript);
}

Mutant finish(const Site &site, const KernelSpec &spec) {
  UnitText text;
  text.add(site.helper);
  site.edits.apply(spec.text, 0, spec.text.size(), text);
  const LineColumn place = lineColumn(spec.text, site.at);
  Mutant mutant{.kind = site.kind, .change = site.change, .advice = site.advice, .text = text.text()};
  mutant.line = std::max(1u, spec.line) + place.line - 1;
  mutant.column = place.line == 1 ? std::max(1u, spec.column) + place.column - 1 : place.column;
  return mutant;
}

} // namespace

std::string quoted(std::string_view code) {
  std::string line;
  for (const char c : code) {
    const bool isBlank = c == ' ' || c == '\n' || c == '\t';
    if (!isBlank || (!line.empty() && line.back() != ' '))
      line += isBlank ? ' ' : c;
  }
  if (line.size() > kLongestQuote)
    line = line.substr(0, kLongestQuote) + "...";
  return "`" + line + "`";
}

bool isNumber(clang::QualType type) {
  return !type->isDependentType() && type->isArithmeticType() && !type->isBooleanType() && !type->isEnumeralType();
}

std::optional<std::string> SiteList::text(const clang::Expr *expression) const {
  const auto where = range(expression);
  return where ? std::optional(slice(*where)) : std::nullopt;
}

std::optional<std::string> SiteList::operand(const clang::Expr *expression) const {
  const auto written = text(expression);
  return !written || standsAlone(expression) ? written : "(" + *written + ")";
}

void SiteList::replace(MutantKind kind, Range what, const std::string &with, std::string advice,
                       std::optional<int> loop, std::string helper) {
  Site site{.kind = kind, .at = what.begin, .loop = loop, .edits = {}, .helper = std::move(helper)};
  site.edits.replace(what.begin, what.end, with);
  site.change = quoted(slice(what)) + " becomes " + quoted(with);
  site.advice = std::move(advice);
  add(std::move(site));
}

std::vector<Site> inOrder(std::vector<Site> sites, const std::string &text) {
  for (Site &site : sites)
    site.line = lineColumn(text, site.at).line;
  std::ranges::sort(sites, {}, [](const Site &site) { return std::tie(site.at, site.kind, site.change); });
  std::vector<Site> ordered;
  std::map<unsigned, int> byLine;
  std::map<std::optional<int>, int> byLoop;
  const auto isLessCrowded = [&](const Site &a, const Site &b) {
    return std::tuple(byLine[a.line], byLoop[a.loop]) < std::tuple(byLine[b.line], byLoop[b.loop]);
  };
  while (!sites.empty())
    for (int kind = 0; kind < kMutantKinds; ++kind) {
      auto best = sites.end();
      for (auto site = sites.begin(); site != sites.end(); ++site)
        if (static_cast<int>(site->kind) == kind && (best == sites.end() || isLessCrowded(*site, *best)))
          best = site;
      if (best == sites.end())
        continue;
      ++byLine[best->line];
      ++byLoop[best->loop];
      ordered.push_back(std::move(*best));
      sites.erase(best);
    }
  return ordered;
}

} // namespace mutants

const char *mutantKindName(MutantKind kind) {
  static constexpr const char *kNames[kMutantKinds] = {
      "zeros",        "last element",     "first rows", "off by one", "narrowed", "stale output", "ignored argument",
      "early return", "swapped operands", "operator",   "comparison", "constant", "removed"};
  return kNames[static_cast<int>(kind)];
}

Result<std::vector<Mutant>> makeMutants(const KernelSpec &spec, const MutantOptions &options) {
  std::vector<mutants::Site> sites;
  const Result<void> parsed = parseKernel(spec, spec.text, "test adequacy", [&](const ParsedKernel &kernel) {
    const moves::TextMap map(kernel.context, kernel.begin, spec.text.size());
    mutants::SiteList list(spec, options, kernel.context, map);
    mutants::addFunctionSites(list, kernel.function);
    mutants::addBodySites(list, kernel.function);
    sites = list.take();
  });
  if (!parsed)
    return std::unexpected(parsed.error());
  std::vector<Mutant> made;
  for (const mutants::Site &site : mutants::inOrder(std::move(sites), spec.text))
    made.push_back(mutants::finish(site, spec));
  return made;
}

} // namespace agentic
