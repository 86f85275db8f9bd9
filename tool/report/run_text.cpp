#include "tool/base/terminal_text.h"
#include "tool/base/text.h"
#include "tool/model/figures.h"
#include "tool/report/run_report.h"
#include "tool/report/run_words.h"
#include "tool/report/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic {
namespace {

constexpr std::size_t kColumns = 100, kLeastOrigin = 20, kIdColumns = 12;

/// Lists the best attempts; the last column takes the rest of a terminal's width.
std::string attemptsText(const RunReport &run) {
  const bool hasAgents = hasSeveralAgents(run);
  std::vector<Cells> lines = {{"#", "verdict", "in search", "time", "candidate"}};
  std::vector<std::string> origins = {"made by"};
  if (hasAgents)
    lines.front().emplace_back("agent");
  for (const ReportAttempt *attempt : bestAttempts(run, 10)) {
    const std::optional<Measurement> &measured = attempt->evaluation.measurement;
    Cells &line = lines.emplace_back(
        Cells{std::to_string(attempt->iteration), verdictText(*attempt), searchSpeedupText(*attempt),
              measured ? nanoseconds(measured->candidateNs) : "", fitted(printable(attempt->candidate), kIdColumns)});
    if (hasAgents)
      line.push_back(fitted(printable(attempt->agent), kLeastOrigin));
    origins.push_back(printable(attempt->origin));
  }
  if (lines.size() < 2)
    return {};
  const std::vector<std::size_t> widths = columnWidths(lines);
  std::size_t used = 0;
  for (const std::size_t width : widths)
    used += width + 2;
  for (std::size_t i = 0; i < lines.size(); ++i)
    lines[i].push_back(fitted(origins[i], std::max(kLeastOrigin, kColumns - std::min(used, kColumns))));
  return "\n" + alignedTable(lines, std::string_view("rlrrlll"));
}

std::string runText(const RunReport &run) {
  std::string text = printable(fmt::format("{}  {} / {}  {}\n", run.kernel, run.level, run.family, run.name), true);
  auto row = [&](std::string_view title, const std::string &value) {
    if (!value.empty())
      text += fmt::format("  {:<12} {}\n", title, printable(value));
  };
  row("ended", endingText(run));
  row("baseline", run.baselineNs > 0 ? nanoseconds(run.baselineNs) : "");
  row("best", winnerText(run));
  row("shortened", run.shortening);
  row("speedup", speedupText(run));
  row("why", run.why);
  row("end to end", run.endToEnd ? endToEndText(*run.endToEnd) : "");
  row("candidates", countsText(run));
  row("calls", callsText(run.calls));
  row("time", seconds(run.wallSeconds));
  for (const std::string &file : run.written)
    row(&file == &run.written.front() ? "written" : "", file);
  row("never run", run.uncovered);
  row("again", run.reproduce);
  return text + attemptsText(run);
}

} // namespace

std::string reportText(std::span<const RunReport> runs) {
  std::string text;
  for (const RunReport &run : runs)
    text += (text.empty() ? "" : "\n") + runText(run);
  return text;
}

} // namespace agentic
