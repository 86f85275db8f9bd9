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

constexpr std::size_t kColumns = 100, kLeastOrigin = 20, kIdColumns = 12, kMostBranches = 60;
constexpr int kMostIndents = 12;

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

/// Returns the tree of attempts, as far as there is room.
std::string branchesText(const RunReport &run) {
  if (run.tree.empty())
    return {};
  std::string text =
      "\n" + printable("what was made from what" + (run.strategy.empty() ? "" : " (" + run.strategy + ")"));
  text += "\nbaseline\n";
  for (std::size_t i = 0; i < std::min(run.tree.size(), kMostBranches); ++i) {
    const int depth = std::min(run.tree[i].depth, kMostIndents) + 1;
    const std::size_t indent = 2 * static_cast<std::size_t>(depth);
    const ReportAttempt &attempt = run.attempts[run.tree[i].attempt];
    const std::string line = fmt::format("#{} {} {}", attempt.iteration, attempt.candidate, branchText(attempt));
    text += std::string(indent, ' ') + fitted(printable(line), kColumns - indent) + "\n";
  }
  return text +
         (run.tree.size() > kMostBranches ? fmt::format("  and {} more\n", run.tree.size() - kMostBranches) : "");
}

/// Returns the cells of archives with their fastest candidates.
std::string cellsText(const RunReport &run) {
  if (run.cells.empty())
    return {};
  std::vector<Cells> lines = {{"population", "candidate", "what its object code does"}};
  for (const ReportCell &cell : run.cells)
    lines.push_back({std::to_string(cell.population + 1), fitted(printable(cell.candidate), kIdColumns),
                     fitted(printable(cell.traits.empty() ? "not told apart" : cell.traits), kColumns / 2)});
  return "\n" + alignedTable(lines, std::string_view("rll"));
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
  row("reviewed", run.reviewed);
  row("speedup", speedupText(run));
  row("why", run.why);
  row("end to end", run.endToEnd ? endToEndText(*run.endToEnd) : "");
  row("candidates", countsText(run));
  row("calls", callsText(run.calls));
  const std::vector<std::string> roles = roleCosts(run.roles);
  for (const std::string &role : roles)
    row(&role == &roles.front() ? "roles" : "", role);
  row("judge", run.judge);
  for (const ReportHypothesis &hypothesis : run.hypotheses) {
    row(&hypothesis == &run.hypotheses.front() ? "hypotheses" : "", hypothesisText(hypothesis));
    row("", outcomeText(run, hypothesis));
  }
  row("time", seconds(run.wallSeconds));
  for (const std::string &file : run.written)
    row(&file == &run.written.front() ? "written" : "", file);
  row("never run", run.uncovered);
  row("again", run.reproduce);
  return text + attemptsText(run) + branchesText(run) + cellsText(run);
}

} // namespace

std::string reportText(std::span<const RunReport> runs) {
  std::string text;
  for (const RunReport &run : runs)
    text += (text.empty() ? "" : "\n") + runText(run);
  return text;
}

} // namespace agentic
