#include "ast-checks/unknown_pragma_or_attribute.h"

#include "ast-checks/context.h"
#include "ast-checks/pragma_rules.h"
#include "tool/base/text.h"

#include <algorithm>
#include <array>

namespace agentic::checks {
namespace {

constexpr auto kUnknownWarnings = std::to_array<std::string_view>(
    {"unknown-attributes", "ignored-attributes", "unknown-pragmas", "ignored-pragmas", "attributes", "pragmas"});

} // namespace

void UnknownPragmaOrAttribute::diagnostic(const DiagnosticView &diagnostic, Context &) {
  // GCC knows this one, and the list of attributes has it.
  if (diagnostic.text.starts_with("unsupported 'prefer-vector-width="))
    return;
  if (std::ranges::find(kUnknownWarnings, diagnostic.option) != kUnknownWarnings.end())
    ignored_.push_back({diagnostic.offset, std::string(diagnostic.text)});
}

void UnknownPragmaOrAttribute::finish(Context &context) {
  const std::string &text = context.request().text;
  auto lineOf = [&](std::size_t offset) { return lineColumn(text, offset).line; };
  for (const Ignored &ignored : ignored_) {
    const unsigned line = lineOf(ignored.offset);
    // An earlier check reported what no allow-list has; GCC's loop pragmas are legal though Clang ignores them.
    bool isJudged = std::ranges::any_of(context.reports(), [&](const Context::Report &report) {
      return (report.check == "attributes" || report.check == "pragmas" || report.check == "threads") &&
             lineOf(report.offset) == line;
    });
    bool isForeignLoopPragma = std::ranges::any_of(writtenPragmas(context.lexemes()), [&](const WrittenPragma &pragma) {
      return lineOf(pragma.offset) == line && pragma.text.starts_with("GCC ") &&
             pragmaKind(pragma.text) == PragmaKind::Loop;
    });
    const bool isAllowed = std::ranges::any_of(writtenPragmas(context.lexemes()), [&](const WrittenPragma &pragma) {
      return lineOf(pragma.offset) == line && isListed(context.policy().allow.pragmas, pragmaTitle(pragma.text));
    });
    if (!isJudged && !isForeignLoopPragma && !isAllowed)
      context.reportAt(*this, ignored.offset, "ignored by clang: " + ignored.text + "; remove it");
  }
}

} // namespace agentic::checks
