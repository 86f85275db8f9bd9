#include "tool/base/terminal_text.h"
#include "tool/base/text.h"
#include "tool/model/figures.h"
#include "tool/report/run_report.h"
#include "tool/report/run_words.h"
#include "tool/report/table.h"

#include <fmt/format.h>

namespace agentic {
namespace {

std::string runText(const RunReport &run) {
  std::string text = printable(fmt::format("{}  {} / {}  {}\n", run.kernel, run.level, run.family, run.name), true);
  auto row = [&](std::string_view title, const std::string &value) {
    if (!value.empty())
      text += fmt::format("  {:<12} {}\n", title, printable(value));
  };
  row("ended", endingText(run));
  row("baseline", run.baselineNs > 0 ? nanoseconds(run.baselineNs) : "");
  row("best", winnerText(run));
  row("speedup", speedupText(run));
  row("candidates", countsText(run));
  row("calls", callsText(run.calls));
  row("time", seconds(run.wallSeconds));
  for (const std::string &file : run.written)
    row(&file == &run.written.front() ? "written" : "", file);
  row("again", run.reproduce);
  std::vector<Cells> lines = {kAttemptHeader};
  for (const ReportAttempt *attempt : bestAttempts(run, 10)) {
    lines.push_back(attemptCells(*attempt));
    for (std::string &cell : lines.back())
      cell = fitted(printable(cell), 60);
  }
  return lines.size() > 1 ? text + "\n" + alignedTable(lines, 0) : text;
}

} // namespace

std::string reportText(std::span<const RunReport> runs) {
  std::string text;
  for (const RunReport &run : runs)
    text += (text.empty() ? "" : "\n") + runText(run);
  return text;
}

} // namespace agentic
