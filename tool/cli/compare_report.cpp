#include "tool/cli/compare_report.h"

#include "tool/agent/spending.h"
#include "tool/base/money.h"
#include "tool/base/terminal_text.h"
#include "tool/base/text.h"
#include "tool/cli/common.h"
#include "tool/report/run_words.h"
#include "tool/report/speedup_json.h"
#include "tool/report/table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

std::string rejectedText(const CompareRow &row, const std::string &separator) {
  std::string text;
  for (const auto &[stage, count] : row.rejected)
    text += fmt::format("{}{} {}", text.empty() ? "" : separator, stage, count);
  return text.empty() ? "-" : text;
}

std::string titleOf(const AgentComparison &comparison) {
  std::string title = comparison.kernel;
  if (!comparison.level.empty())
    title += ", " + comparison.level;
  if (!comparison.optimization.empty())
    title += ", everything compiled with -" + comparison.optimization;
  if (comparison.budgetUsd)
    title += ", at most " + usdText(*comparison.budgetUsd) + " each";
  if (const int most = comparison.maxIterations.value_or(0); most > 0)
    title += fmt::format(", at most {} iterations each", most);
  if (const double most = comparison.time.searchSeconds.value_or(0); most > 0)
    title += ", a search of at most " + seconds(most) + " each";
  return title;
}

std::string speedupCell(const CompareRow &row) {
  return row.speedup ? ratioText(*row.speedup) : row.state == CompareState::Done ? "none" : compareStateName(row.state);
}

std::vector<Cells> cellsOf(const AgentComparison &comparison) {
  std::vector<Cells> lines = {{"agent", "speedup", "cost", "tokens in", "tokens out", "iterations", "to peak",
                               "time to peak", "time", "not taken"}};
  for (const CompareRow &row : comparison.rows)
    lines.push_back({printable(row.label), speedupCell(row), usdText(row.usd), std::to_string(row.inputTokens),
                     std::to_string(row.outputTokens), std::to_string(row.iterations),
                     row.peakIteration > 0 ? std::to_string(row.peakIteration) : "-",
                     row.peakIteration > 0 ? seconds(row.peakSeconds) : "-", seconds(row.seconds),
                     printable(rejectedText(row, ", "))});
  return lines;
}

/// Returns what else is said of rows, with their labels: the reasons for their ends, then what their roles cost.
std::vector<std::pair<std::string, std::string>> notesOf(const AgentComparison &comparison) {
  std::vector<std::pair<std::string, std::string>> notes;
  for (const CompareRow &row : comparison.rows)
    if (!row.reason.empty())
      notes.emplace_back(printable(row.label),
                         printable((row.state == CompareState::Failed ? "failed: " : "") + row.reason));
  for (const CompareRow &row : comparison.rows)
    if (!row.roles.empty())
      notes.emplace_back(printable(row.label), printable(join(roleCosts(row.roles), "; ")));
  return notes;
}

} // namespace

std::string compareText(const AgentComparison &comparison) {
  std::string text = printable(titleOf(comparison)) + "\n" + alignedTable(cellsOf(comparison), 1);
  for (const auto &[label, note] : notesOf(comparison))
    text += "  " + label + ": " + note + "\n";
  if (!comparison.optimization.empty())
    text += "  an experiment at -" + printable(comparison.optimization) + ": nothing is written back\n";
  return text + "  runs: " + printable(comparison.directory) + "\n";
}

std::string compareMarkdown(const AgentComparison &comparison) {
  std::string text = escapeMarkdown(printable(titleOf(comparison))) + "\n\n";
  text += markdownTable(cellsOf(comparison), 0);
  for (const auto &[label, note] : notesOf(comparison))
    text += "\n- " + codeSpan(label) + ": " + codeSpan(note);
  return text + "\n";
}

std::string compareCsv(const AgentComparison &comparison) {
  std::string text = "agent,state,speedup,low,high,cost_usd,input_tokens,output_tokens,iterations,iterations_to_peak,"
                     "seconds_to_peak,seconds,rejected,optimization,reason,strategy,roles\n";
  for (const CompareRow &row : comparison.rows) {
    const std::string speedup =
        row.speedup ? fmt::format("{:.4f},{:.4f},{:.4f}", row.speedup->ratio, row.speedup->low, row.speedup->high)
                    : ",,";
    const std::string peak = row.peakIteration > 0 ? fmt::format("{},{:.1f}", row.peakIteration, row.peakSeconds) : ",";
    text +=
        fmt::format("{},{},{},{:.6f},{},{},{},{},{:.1f},{},{},{},{},{}\n", csvCell(row.label),
                    compareStateName(row.state), speedup, row.usd, row.inputTokens, row.outputTokens, row.iterations,
                    peak, row.seconds, csvCell(rejectedText(row, "; ")), csvCell(comparison.optimization),
                    csvCell(row.reason), csvCell(row.strategy), csvCell(join(roleCosts(row.roles), "; ")));
  }
  return text;
}

nlohmann::json compareJson(const AgentComparison &comparison) {
  nlohmann::json rows = nlohmann::json::array();
  for (const CompareRow &row : comparison.rows) {
    nlohmann::json one = {{"agent", row.label},
                          {"state", compareStateName(row.state)},
                          {"reason", row.reason},
                          {"cost_usd", row.usd},
                          {"input_tokens", row.inputTokens},
                          {"output_tokens", row.outputTokens},
                          {"iterations", row.iterations},
                          {"rejected", row.rejected},
                          {"wall_seconds", row.seconds},
                          {"run_dir", row.runDirectory}};
    one["strategy"] = known(row.strategy);
    one["roles"] = rolesJson(row.roles);
    one["speedup"] = row.speedup ? speedupJson(*row.speedup) : nlohmann::json();
    one["origin"] = row.speedup ? nlohmann::json(row.origin) : nlohmann::json();
    one["iterations_to_peak"] = row.peakIteration > 0 ? nlohmann::json(row.peakIteration) : nlohmann::json();
    one["seconds_to_peak"] = row.peakIteration > 0 ? nlohmann::json(row.peakSeconds) : nlohmann::json();
    rows.push_back(std::move(one));
  }
  return {{"kernel", comparison.kernel},
          {"optimization", comparison.optimization},
          {"compare_dir", comparison.directory},
          {"agents", rows}};
}

} // namespace agentic
