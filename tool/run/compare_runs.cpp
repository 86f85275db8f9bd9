#include "tool/run/compare_runs.h"

#include "tool/agent/agent.h"
#include "tool/agent/call_log.h"
#include "tool/base/clock.h"
#include "tool/base/files.h"
#include "tool/model/evaluation.h"
#include "tool/run/run_agents.h"
#include "tool/search/ask_strategy.h"
#include "tool/search/journal.h"
#include "tool/search/rejections.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace agentic {
namespace {

using nlohmann::json;

constexpr int kFileVersion = 1, kNotGiven = -1; ///< version of the file's format
constexpr std::array kStates = {CompareState::Waiting, CompareState::Running, CompareState::Done, CompareState::Failed};

json rowJson(const CompareRow &row) {
  json speedup;
  if (row.speedup)
    speedup = {{"ratio", row.speedup->ratio},
               {"low", row.speedup->low},
               {"high", row.speedup->high},
               {"interval", row.speedup->isConfirmed}};
  return {{"name", row.name},
          {"label", row.label},
          {"strategy", row.strategy},
          {"state", compareStateName(row.state)},
          {"reason", row.reason},
          {"speedup", speedup},
          {"origin", row.origin},
          {"usd", row.usd},
          {"seconds", row.seconds},
          {"input_tokens", row.inputTokens},
          {"output_tokens", row.outputTokens},
          {"iterations", row.iterations},
          {"peak_iteration", row.peakIteration},
          {"peak_seconds", row.peakSeconds},
          {"rejected", row.rejected},
          {"run", row.runDirectory}};
}

CompareRow rowFrom(const json &value) {
  CompareRow row;
  row.name = value.at("name").get<std::string>();
  row.label = value.at("label").get<std::string>();
  const std::string state = value.at("state").get<std::string>();
  for (CompareState known : kStates)
    if (state == compareStateName(known))
      row.state = known;
  row.strategy = value.value("strategy", "");
  row.reason = value.value("reason", "");
  if (const json speedup = value.value("speedup", json()); speedup.is_object())
    row.speedup = Speedup{speedup.value("ratio", 1.0), speedup.value("low", 1.0), speedup.value("high", 1.0),
                          speedup.value("interval", false), speedup.value("interval", false)};
  row.origin = value.value("origin", "");
  row.usd = value.value("usd", 0.0), row.seconds = value.value("seconds", 0.0);
  row.inputTokens = value.value("input_tokens", std::int64_t{0});
  row.outputTokens = value.value("output_tokens", std::int64_t{0});
  row.iterations = value.value("iterations", 0), row.peakIteration = value.value("peak_iteration", 0);
  row.peakSeconds = value.value("peak_seconds", 0.0);
  row.rejected = value.value("rejected", std::map<std::string, int>());
  row.runDirectory = value.value("run", "");
  return row;
}

template <class T> std::optional<T> givenOf(T value) {
  return value < 0 ? std::nullopt : std::optional(value);
}

std::string folderOf(const std::string &buildDir) {
  return buildDir + "/_agentic/compare";
}

std::unexpected<Error> damaged(const std::string &file, const std::string &why) {
  return userError("the comparison " + file + " is damaged: " + why, "start a new one without --resume");
}

} // namespace

const char *compareStateName(CompareState state) {
  switch (state) {
  case CompareState::Waiting:
    return "waiting";
  case CompareState::Running:
    return "running";
  case CompareState::Done:
    return "done";
  case CompareState::Failed:
    return "failed";
  }
  return "";
}

Result<std::vector<CompareRow>> compareRows(const std::vector<std::string> &agents,
                                            const std::vector<std::string> &strategies) {
  std::vector<CompareRow> rows;
  const std::vector<std::string> labels = agentLabels(agents);
  for (const std::string &strategy : strategies)
    TRY(parseAskStrategy(strategy));
  for (std::size_t i = 0; i < agents.size(); ++i)
    if (strategies.empty() || !asksModel(agents[i]))
      rows.push_back({.name = agents[i], .label = labels[i]});
    else
      for (const std::string &strategy : strategies)
        rows.push_back({.name = agents[i], .label = labels[i] + ", " + strategy, .strategy = strategy});
  return rows;
}

Result<AgentComparison> createComparison(const std::string &buildDir, AgentComparison comparison,
                                         const Surroundings &surroundings) {
  comparison.directory = newRunDirectory(folderOf(buildDir), comparison.kernel);
  TRY(createDirectories(comparison.directory));
  TRY(saveComparison(comparison, surroundings));
  return comparison;
}

Result<void> saveComparison(const AgentComparison &comparison, const Surroundings &surroundings) {
  json rows = json::array();
  for (const CompareRow &row : comparison.rows)
    rows.push_back(rowJson(row));
  const json file = {{"v", kFileVersion},
                     {"kernel", comparison.kernel},
                     {"level", comparison.level},
                     {"optimization", comparison.optimization},
                     {"budget_usd", comparison.budgetUsd ? json(*comparison.budgetUsd) : json()},
                     {"max_iterations", comparison.maxIterations.value_or(kNotGiven)},
                     {"max_seconds", comparison.time.searchSeconds.value_or(kNotGiven)},
                     {"max_total_seconds", comparison.time.totalSeconds.value_or(kNotGiven)},
                     {"seed", comparison.seed},
                     {"cut", comparison.isCut},
                     {"runs", rows}};
  return writeFileAtomic(comparison.directory + "/compare.json",
                         surroundings.redact()(file.dump(1, ' ', false, json::error_handler_t::replace) + "\n"));
}

Result<AgentComparison> readComparison(const std::string &directory) {
  const std::string path = directory + "/compare.json";
  auto text = TRY(readFile(path));
  const json file = json::parse(text, nullptr, false);
  if (!file.is_object())
    return damaged(path, "it is no JSON object");
  try {
    AgentComparison comparison{.directory = directory,
                               .kernel = file.at("kernel").get<std::string>(),
                               .level = file.value("level", ""),
                               .optimization = file.value("optimization", "")};
    if (file.value("v", 0) != kFileVersion)
      return damaged(path, "another version of agentic-kernel wrote it");
    if (const json budget = file.value("budget_usd", json()); budget.is_number())
      comparison.budgetUsd = budget.get<double>();
    comparison.maxIterations = givenOf(file.value("max_iterations", kNotGiven));
    comparison.time.searchSeconds = givenOf(file.value("max_seconds", double(kNotGiven)));
    comparison.time.totalSeconds = givenOf(file.value("max_total_seconds", double(kNotGiven)));
    comparison.seed = file.value("seed", std::uint64_t{1});
    comparison.isCut = file.value("cut", false);
    for (const json &row : file.at("runs"))
      comparison.rows.push_back(rowFrom(row));
    if (comparison.rows.empty())
      return damaged(path, "it lists no runs");
    return comparison;
  } catch (const json::exception &error) {
    return damaged(path, error.what());
  }
}

Result<AgentComparison> unfinishedComparison(const std::string &buildDir, const std::string &kernel) {
  std::vector<std::string> folders;
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator(folderOf(buildDir), ignored))
    if (entry.is_directory(ignored) && entry.path().filename().string().starts_with(kernel + "-"))
      folders.push_back(entry.path().string());
  std::ranges::sort(folders, std::greater<>());
  for (const std::string &folder : folders) {
    auto comparison = TRY(readComparison(folder));
    if (std::ranges::any_of(comparison.rows, [](const CompareRow &row) { return row.state != CompareState::Done; }))
      return comparison;
  }
  return userError("no unfinished comparison of kernel '" + kernel + "' to resume", "start one without --resume");
}

bool hasEnded(const AgentComparison &comparison, std::size_t row) {
  const std::vector<std::string> runs = listRuns(comparison.runsDir(row), comparison.kernel);
  if (runs.empty())
    return false;
  const auto record = readRun(runs.back());
  return record && record->finished;
}

void fillFromRun(AgentComparison &comparison, std::size_t at) {
  const std::vector<std::string> runs = listRuns(comparison.runsDir(at), comparison.kernel);
  if (runs.empty())
    return;
  CompareRow &row = comparison.rows[at];
  row.runDirectory = runs.back();
  if (const auto calls = CallLog::read(row.runDirectory)) {
    const CallTotals totals = totalsOf(*calls);
    row.usd = totals.usd;
    row.inputTokens = totals.inputTokens, row.outputTokens = totals.outputTokens;
    row.roles = totalsByRole(*calls);
  }
  const auto record = readRun(row.runDirectory);
  if (!record)
    return;
  row.seconds = record->secondsUsed;
  row.iterations = static_cast<int>(record->iterations.size());
  row.rejected = rejectedBy(*record);
  if (record->finished)
    row.reason = record->reason;
  if (!record->winner || !record->winner->evaluation.measurement)
    return;
  row.speedup = record->winner->evaluation.measurement->speedup;
  row.origin = record->winner->candidate.origin;
  if (const auto peak = peakOf(*record, record->winner->candidate.id))
    row.peakIteration = peak->iteration, row.peakSeconds = peak->seconds;
}

} // namespace agentic
