#include "ast-checks/checks.h"

#include "ast-checks/context.h"
#include "ast-checks/parse.h"
#include "ast-checks/registry.h"
#include "tool/base/text.h"

#include <algorithm>

namespace agentic::checks {
namespace {

void collectFindings(const CheckRequest &request, Context &context, CheckOutcome &outcome) {
  std::ranges::sort(context.reports(), {},
                    [](const Context::Report &report) { return std::pair(report.offset, report.check); });
  for (Context::Report &report : context.reports()) {
    LineColumn position = lineColumn(request.text, report.offset);
    Finding finding = {std::string(report.check), request.path, position.line, position.column,
                       std::move(report.message)};
    (report.isNote ? outcome.notes : outcome.findings).push_back(std::move(finding));
    (report.isNote ? outcome.noteOffsets : outcome.offsets).push_back(report.offset);
  }
  std::ranges::sort(context.permitted(), {}, [](const Context::Permitted &permitted) {
    return std::pair(permitted.offset, std::string_view(permitted.permission.check));
  });
  for (Context::Permitted &permitted : context.permitted()) {
    const LineColumn position = lineColumn(request.text, permitted.offset);
    permitted.permission.line = position.line;
    permitted.permission.column = position.column;
    outcome.permissions.push_back(std::move(permitted.permission));
    outcome.permissionOffsets.push_back(permitted.offset);
  }
}

} // namespace

Result<CheckOutcome> runChecks(const CheckRequest &request) {
  for (const OwnText &range : request.own)
    if (range.begin > range.end || range.end > request.text.size())
      return bugError("own text of '" + request.path + "' lies outside the unit");
  CheckOutcome outcome;
  Context context(request);
  CheckList checks = makeChecks(request.policy);
  for (const auto &check : checks)
    check->text(context);
  // To read an unlisted header already does harm (/dev/zero, the tests' data), so stop before it is opened.
  bool hasForeignInclude = std::ranges::any_of(context.reports(), [](const Context::Report &report) {
    return report.check == "includes" || report.check == "characters";
  });
  bool opensOtherFiles = std::ranges::any_of(context.lexemes().directives, [](const Directive &directive) {
    return directive.name == "include_next" || directive.name == "import" || directive.name == "embed" ||
           directive.name == "__include_macros";
  });
  if (!hasForeignInclude && !(opensOtherFiles && context.isCandidate()))
    TRY(parseUnit(request, checks, context, outcome));
  collectFindings(request, context, outcome);
  return outcome;
}

} // namespace agentic::checks
