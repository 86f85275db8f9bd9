#include "tool/base/terminal_text.h"
#include "tool/model/figures.h"
#include "tool/report/run_report.h"
#include "tool/report/run_words.h"
#include "tool/report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace agentic {
namespace {

constexpr std::size_t kShown = 20, kCellColumns = 120;

/// Formats foreign text: in a code span, hosts link no names, issues and addresses.
std::string foreign(const std::string &text) {
  return text.empty() ? std::string() : codeSpan(fitted(printable(text), kCellColumns));
}

/// Formats a title of the environment: our own words stay plain.
std::string title(const std::string &text) {
  const bool isPlain =
      std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == ' ' || c == '-'; });
  return isPlain ? text : foreign(text);
}

std::string attemptsMarkdown(const RunReport &run) {
  std::string text;
  for (const ReportAttempt *attempt : bestAttempts(run, kShown)) {
    const std::optional<Measurement> &measured = attempt->evaluation.measurement;
    for (const std::string &cell : {std::to_string(attempt->iteration), verdictText(*attempt),
                                    searchSpeedupText(*attempt), measured ? nanoseconds(measured->candidateNs) : "",
                                    foreign(attempt->agent), foreign(attempt->candidate), foreign(attempt->origin)})
      text += "| " + cell + (cell.empty() ? "" : " ");
    text += "|\n";
  }
  if (text.empty())
    return text;
  return "| iteration | verdict | speedup in the search | time | agent | candidate | made by |\n"
         "|---:|---|---:|---:|---|---|---|\n" +
         text + "\n";
}

std::string runMarkdown(const RunReport &run) {
  std::string text = fmt::format("## {} on {}, {}\n\n", foreign(run.kernel), foreign(run.level), foreign(run.family));
  auto item = [&](std::string_view title, const std::string &value) {
    if (!value.empty())
      text += fmt::format("- {}: {}\n", title, value);
  };
  item("speedup", run.speedup
                      ? "**" + ratioText(*run.speedup) + "**" +
                            (run.isAsShipped ? " as it ships, against the original build" : " against the baseline")
                      : "none confirmed");
  item("why it is faster", run.why.empty() ? std::string() : foreign(run.why));
  if (run.endToEnd)
    item("end to end", foreign(endToEndText(*run.endToEnd)));
  if (run.baselineNs > 0)
    item("time per call", nanoseconds(run.baselineNs) + (run.winnerNs > 0 ? " → " + nanoseconds(run.winnerNs) : ""));
  item("winner", foreign(winnerText(run)));
  item("shortened", run.shortening.empty() ? std::string() : foreign(run.shortening));
  item("reviewed", run.reviewed.empty() ? std::string() : foreign(run.reviewed));
  item("candidates", countsText(run));
  item("calls of models", callsText(run.calls));
  for (const ReportHypothesis &hypothesis : run.hypotheses)
    item("hypothesis", foreign(hypothesisText(hypothesis)) + ": " + foreign(outcomeText(run, hypothesis)));
  item("run", fmt::format("{}, {}, {}", foreign(run.name), seconds(run.wallSeconds), foreign(endingText(run))));
  for (const auto &[name, value] : run.environment)
    item(title(name), foreign(value));
  item("never run", run.uncovered.empty() ? std::string() : codeSpan(printable(run.uncovered)));
  item("again", codeSpan(printable(run.reproduce)));
  for (const std::string &file : run.written)
    item("written", foreign(file));
  return text + "\n" + attemptsMarkdown(run);
}

} // namespace

std::string reportMarkdown(std::span<const RunReport> runs) {
  std::string text;
  for (const RunReport &run : runs)
    text += runMarkdown(run);
  return text;
}

} // namespace agentic
