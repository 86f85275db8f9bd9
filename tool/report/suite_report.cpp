#include "tool/report/suite_report.h"

#include "tool/base/median.h"
#include "tool/base/text.h"
#include "tool/model/figures.h"
#include "tool/report/speedup_json.h"
#include "tool/report/table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace agentic {
namespace {

using nlohmann::json;

double share(const std::vector<SuiteRow> &rows, double factor) {
  const auto fast = std::count_if(rows.begin(), rows.end(), [&](const SuiteRow &row) {
    return row.correct && row.speedup && row.speedup->ratio >= factor;
  });
  return rows.empty() ? 0 : double(fast) / double(rows.size());
}

json rowJson(const SuiteRow &row) {
  return {{"kernel", row.kernel},
          {"speedup", known(row.speedup)},
          {"correct", row.correct},
          {"improved", row.improved},
          {"baseline_ns", known(row.baselineNs)},
          {"best_ns", known(row.bestNs)},
          {"expert_percent", known(row.expertPercent)},
          {"expert", known(row.expert)},
          {"bandwidth_percent", known(row.bandwidthPercent)},
          {"memory_level", known(row.memoryLevel)},
          {"arithmetic_percent", known(row.arithmeticPercent)},
          {"candidates", row.candidates},
          {"seconds", row.seconds},
          {"origin", known(row.origin)},
          {"reason", known(row.reason)}};
}

json promisesJson(const std::vector<Promise> &promises) {
  json list = json::array();
  for (const Promise &promise : promises)
    list.push_back({{"recipe", promise.recipe},
                    {"promised", promise.promised},
                    {"came", known(promise.came)},
                    {"verdict", promise.verdict}});
  return list;
}

/// Returns what the expert gains over the baseline, if that is known.
std::optional<double> expertGain(const SuiteRow &row) {
  if (!row.expertPercent || *row.expertPercent <= 0 || row.baselineNs <= 0 || row.bestNs <= 0)
    return std::nullopt;
  return row.baselineNs / (row.bestNs * *row.expertPercent / 100);
}

std::string percent(const std::optional<double> &value) {
  return value ? fmt::format("{:.0f} %", *value) : "";
}

/// Names the nearest bound; arithmetic is only a hint, and only if the benchmark counts operations.
std::string roofline(const SuiteRow &row) {
  if (row.arithmeticPercent && *row.arithmeticPercent > row.bandwidthPercent.value_or(0))
    return percent(row.arithmeticPercent) + " arithmetic";
  return row.bandwidthPercent ? percent(row.bandwidthPercent) + " " + row.memoryLevel : "";
}

/// The columns that text and Markdown share.
const Cells kColumnTitles = {"kernel",      "baseline",      "best",       "speedup", "interval",
                             "% of expert", "% of roofline", "candidates", "seconds"};

Cells cells(const SuiteRow &row) {
  std::string ratio = row.speedup ? ratioText(row.speedup->ratio) : "failed";
  std::string interval = row.improved && row.speedup ? intervalText(*row.speedup) : "";
  return {row.kernel,
          row.baselineNs > 0 ? nanoseconds(row.baselineNs) : "",
          row.bestNs > 0 ? nanoseconds(row.bestNs) : "",
          ratio,
          interval,
          percent(row.expertPercent),
          roofline(row),
          fmt::format("{}", row.candidates),
          fmt::format("{:.0f}", row.seconds)};
}

std::vector<Cells> table(const Suite &suite) {
  std::vector<Cells> lines = {kColumnTitles};
  for (const SuiteRow &row : suite.rows)
    lines.push_back(cells(row));
  return lines;
}

std::string summaryLine(const Suite &suite) {
  const SuiteSummary summary = summarize(suite.rows);
  const std::string expert =
      summary.medianExpertPercent
          ? fmt::format("; median {:.0f} % of an expert's speed{}", *summary.medianExpertPercent,
                        summary.fast1_5WhereExpert ? fmt::format(", faster by 1.5x where the expert is: {:.0f} %",
                                                                 100 * *summary.fast1_5WhereExpert)
                                                   : "")
          : "";
  return fmt::format("{} kernel{}: geometric mean {:.2f}x; faster by 1.5x: {:.0f} %, by 2x: {:.0f} %, by 4x: {:.0f} %; "
                     "correct and not slower: {:.0f} %{}{}",
                     suite.rows.size(), suite.rows.size() == 1 ? "" : "s", summary.geometricMean, 100 * summary.fast1_5,
                     100 * summary.fast2, 100 * summary.fast4, 100 * summary.fast1, expert,
                     suite.interrupted ? " (interrupted)" : "");
}

std::string promisesText(const SuiteRow &row) {
  if (row.promises.empty())
    return {};
  std::string text = row.kernel + ": what the estimate promised, and what came\n";
  for (const Promise &promise : row.promises)
    text += fmt::format("  {:>8} {:>8}  {}  ({})\n", ratioText(promise.promised),
                        promise.came ? ratioText(*promise.came) : "-", promise.recipe, promise.verdict);
  return text;
}

std::string machineLine(const Suite &suite) {
  return suite.compiler + ", " + suite.machine;
}

} // namespace

SuiteSummary summarize(const std::vector<SuiteRow> &rows) {
  double logarithms = 0;
  for (const SuiteRow &row : rows)
    logarithms += row.correct && row.speedup && row.speedup->ratio > 0 ? std::log(row.speedup->ratio) : 0;
  std::vector<double> shares;
  std::vector<SuiteRow> gained; // by the expert
  for (const SuiteRow &row : rows) {
    if (row.expertPercent)
      shares.push_back(*row.expertPercent);
    if (expertGain(row).value_or(0) >= 1.5)
      gained.push_back(row);
  }
  return {.geometricMean = rows.empty() ? 1 : std::exp(logarithms / double(rows.size())),
          .fast1 = share(rows, 1),
          .fast1_5 = share(rows, 1.5),
          .fast2 = share(rows, 2),
          .fast4 = share(rows, 4),
          .medianExpertPercent = shares.empty() ? std::nullopt : std::optional(median(std::move(shares))),
          .fast1_5WhereExpert = gained.empty() ? std::nullopt : std::optional(share(gained, 1.5))};
}

json suiteJson(const Suite &suite) {
  const SuiteSummary summary = summarize(suite.rows);
  json result = {{"kernels", json::array()},
                 {"geometric_mean", summary.geometricMean},
                 {"fast_1", summary.fast1},
                 {"fast_1.5", summary.fast1_5},
                 {"fast_2", summary.fast2},
                 {"fast_4", summary.fast4},
                 {"machine", suite.machine},
                 {"compiler", suite.compiler},
                 {"agent", suite.agent},
                 {"max_seconds", known(suite.maxSeconds)},
                 {"cold", suite.cold},
                 {"interrupted", suite.interrupted},
                 {"median_expert_percent", known(summary.medianExpertPercent)},
                 {"fast_1.5_where_expert", known(summary.fast1_5WhereExpert)}};
  for (const SuiteRow &row : suite.rows) {
    result["kernels"].push_back(rowJson(row));
    if (!row.promises.empty())
      result["kernels"].back()["promises"] = promisesJson(row.promises);
  }
  return result;
}

std::string suiteText(const Suite &suite) {
  std::string text = alignedTable(table(suite), 1);
  for (const SuiteRow &row : suite.rows)
    if (!row.reason.empty())
      text += fmt::format("{}: {}\n", row.kernel, row.reason);
  for (const SuiteRow &row : suite.rows)
    text += promisesText(row);
  return text + summaryLine(suite) + "\n" + machineLine(suite) + "\n";
}

std::string suiteCsv(const Suite &suite) {
  std::string text = "kernel,ratio,low,high,correct,improved,baseline_ns,best_ns,expert_percent,expert,"
                     "bandwidth_percent,memory_level,arithmetic_percent,candidates,seconds,origin,reason,machine,"
                     "compiler\n";
  for (const SuiteRow &row : suite.rows) {
    const Speedup speedup = row.speedup.value_or(Speedup{0, 0, 0});
    const Cells line = {row.kernel,
                        csvNumber(speedup.ratio),
                        csvNumber(speedup.low),
                        csvNumber(speedup.high),
                        row.correct ? "true" : "false",
                        row.improved ? "true" : "false",
                        csvNumber(row.baselineNs),
                        csvNumber(row.bestNs),
                        csvNumber(row.expertPercent),
                        row.expert,
                        csvNumber(row.bandwidthPercent),
                        row.memoryLevel,
                        csvNumber(row.arithmeticPercent),
                        fmt::format("{}", row.candidates),
                        csvNumber(row.seconds),
                        row.origin,
                        row.reason,
                        suite.machine,
                        suite.compiler};
    for (std::size_t i = 0; i < line.size(); ++i)
      text += (i ? "," : "") + csvCell(line[i]);
    text += "\n";
  }
  return text;
}

std::string suiteMarkdown(const Suite &suite) {
  std::string text = markdownTable(table(suite), 1);
  text += "\n" + escapeMarkdown(summaryLine(suite)) + ".\n\n" + escapeMarkdown(machineLine(suite)) + ".\n";
  bool first = true;
  for (const SuiteRow &row : suite.rows)
    if (!row.reason.empty()) {
      text += fmt::format("{}- `{}`: {}\n", first ? "\n" : "", row.kernel, escapeMarkdown(row.reason));
      first = false;
    }
  return text;
}

} // namespace agentic
