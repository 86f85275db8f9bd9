#include "tool/report/verification_report.h"

#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/report/speedup_json.h"
#include "tool/report/table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace agentic {
namespace {

using nlohmann::json;

const Cells kTitles = {"kernel", "level", "compiler", "standing", "now", "interval", "recorded", "code"};

std::string nameOf(const VerifiedVariant &row) {
  return row.level.empty() ? row.kernel : row.kernel + " " + row.level + " " + row.family;
}

Cells cells(const VerifiedVariant &row) {
  return {row.kernel,
          row.level,
          row.family,
          standingName(row.standing),
          row.measured ? fmt::format("{:.2f}x", row.measured->ratio) : "",
          row.measured ? fmt::format("[{:.2f}, {:.2f}]", row.measured->low, row.measured->high) : "",
          row.level.empty() ? ""
          : row.isTuned     ? fmt::format("{:.2f}x", row.recorded.ratio)
                            : "untuned",
          row.codeBytes > 0 ? fmt::format("{} B", row.codeBytes) : ""};
}

std::vector<Cells> table(const Verification &verification) {
  std::vector<Cells> lines = {kTitles};
  for (const VerifiedVariant &row : verification.rows)
    lines.push_back(cells(row));
  return lines;
}

std::string summaryLine(const Verification &verification) {
  const auto count = [&](Standing standing) {
    return std::ranges::count(verification.rows, standing, &VerifiedVariant::standing);
  };
  return fmt::format("{} hold, {} fail, {} not tried{}", count(Standing::Holds), count(Standing::Fails),
                     count(Standing::NotTried), verification.interrupted ? " (interrupted)" : "");
}

std::string problemText(const VerifiedVariant &row) {
  return row.what.empty() ? row.problem : row.what + ": " + row.problem;
}

} // namespace

bool allHold(const Verification &verification) {
  return std::ranges::none_of(verification.rows,
                              [](const VerifiedVariant &row) { return row.standing == Standing::Fails; });
}

json verificationJson(const Verification &verification) {
  json result = {{"machine", verification.machine},
                 {"compiler", verification.compiler},
                 {"interrupted", verification.interrupted},
                 {"holds", allHold(verification)},
                 {"kernels", json::array()}};
  for (const VerifiedVariant &row : verification.rows) {
    const bool isVariant = !row.level.empty();
    result["kernels"].push_back({{"kernel", row.kernel},
                                 {"level", isVariant ? json(row.level) : json()},
                                 {"family", isVariant ? json(row.family) : json()},
                                 {"file", isVariant ? json(row.file) : json()},
                                 {"standing", standingName(row.standing)},
                                 {"what", row.what},
                                 {"problem", row.problem},
                                 {"next", row.next},
                                 {"tuned", row.isTuned},
                                 {"recorded", isVariant && row.isTuned ? speedupJson(row.recorded) : json()},
                                 {"recorded_cpu", row.recordedCpu},
                                 {"measured", row.measured ? speedupJson(*row.measured) : json()},
                                 {"code_bytes", row.codeBytes},
                                 {"warnings", row.warnings},
                                 {"seconds", row.seconds}});
  }
  return result;
}

std::string verificationText(const Verification &verification) {
  std::string text = alignedTable(table(verification), 4);
  for (const VerifiedVariant &row : verification.rows) {
    if (!row.problem.empty())
      text += fmt::format("{}: {}\n  next: {}\n", nameOf(row), problemText(row), row.next);
    for (const std::string &warning : row.warnings)
      text += fmt::format("{}: warning: {}\n", nameOf(row), warning);
  }
  return text + summaryLine(verification) + "\n";
}

std::string verificationMarkdown(const Verification &verification) {
  std::string text = markdownTable(table(verification), 3);
  text += "\n" + escapeMarkdown(summaryLine(verification)) + "; " + escapeMarkdown(verification.compiler) + ", " +
          escapeMarkdown(verification.machine) + ".\n\n";
  for (const VerifiedVariant &row : verification.rows) {
    if (!row.problem.empty())
      text += fmt::format("- `{}`: {}. Next: {}.\n", nameOf(row), codeSpan(problemText(row)), codeSpan(row.next));
    for (const std::string &warning : row.warnings)
      text += fmt::format("- `{}`: {}.\n", nameOf(row), escapeMarkdown(warning));
  }
  return text;
}

std::string verificationSarif(const Verification &verification, const std::string &root,
                              const std::string &toolVersion) {
  json results = json::array(), rules = json::array();
  for (const VerifiedVariant &row : verification.rows) {
    if (row.problem.empty())
      continue;
    const std::string rule = row.what.empty() ? "not-tried" : row.what;
    if (std::ranges::none_of(rules, [&](const json &known) { return known["id"] == rule; }))
      rules.push_back({{"id", rule}});
    const fs::path file = row.file.empty() ? row.source : row.file;
    results.push_back(
        {{"ruleId", rule},
         {"level", row.standing == Standing::Fails ? "error" : "note"},
         {"message", {{"text", nameOf(row) + ": " + row.problem + "; next: " + row.next}}},
         {"locations",
          {{{"physicalLocation",
             {{"artifactLocation", {{"uri", file.lexically_relative(root).generic_string()}, {"uriBaseId", "ROOT"}}},
              {"region", {{"startLine", 1}}}}}}}}});
  }
  const json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs",
                     {{{"tool", {{"driver", {{"name", "agentic-kernel"}, {"version", toolVersion}, {"rules", rules}}}}},
                       {"results", results}}}}};
  return log.dump(2, ' ', true, json::error_handler_t::replace) + "\n";
}

std::string verificationJunit(const Verification &verification) {
  const auto count = [&](Standing standing) {
    return std::ranges::count(verification.rows, standing, &VerifiedVariant::standing);
  };
  std::string text =
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"agentic-kernel verify\" "
                  "tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n",
                  verification.rows.size(), count(Standing::Fails), count(Standing::NotTried));
  for (const VerifiedVariant &row : verification.rows) {
    text += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", escapeXml(row.kernel),
                        escapeXml(row.level.empty() ? "variants" : row.level + " " + row.family), row.seconds);
    const std::string message = escapeXml(problemText(row) + "; next: " + row.next);
    if (row.standing == Standing::Holds)
      text += "/>\n";
    else
      text += fmt::format(">\n    <{} message=\"{}\"/>\n  </testcase>\n",
                          row.standing == Standing::Fails ? "failure" : "skipped", message);
  }
  return text + "</testsuite>\n";
}

} // namespace agentic
