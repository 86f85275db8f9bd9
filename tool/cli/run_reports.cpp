#include "tool/cli/run_reports.h"

#include "tool/agent/agent.h"
#include "tool/agent/call_log.h"
#include "tool/agent/llm_agent.h"
#include "tool/base/files.h"
#include "tool/base/money.h"
#include "tool/base/text.h"
#include "tool/cli/common.h"
#include "tool/cli/run_agents.h"
#include "tool/search/journal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace agentic {
namespace {

using nlohmann::json;

/// An agent's name as the journal has it, fit to be shown: of a command without what may be secret in its arguments.
std::string shownAgent(const std::string &name) {
  return asksModel(name) ? agentLabel(name) : name;
}

struct Calls {
  std::string agent; ///< whose folder it is, as shown; empty: of the run's one agent
  std::vector<CallRecord> records;
};

class RunReader {
public:
  explicit RunReader(const std::string &directory) : directory_(directory) {}

  Result<RunReport> read();

private:
  Result<void> readCalls();
  void addIterations();
  void addAttempt(const Iteration &iteration, ReportAttempt &attempt);
  void addCallOf(ReportAttempt &attempt, int call);
  void addCallsOfAgents();
  void addWinner();
  void addConfiguration();
  std::vector<ReportSection> insight(const std::string &name) const;
  ReportAgent &agentNamed(const std::string &name);

  std::string directory_;
  RunRecord record_;
  RunReport report_;
  std::vector<Calls> calls_;
  std::set<std::pair<std::string, int>> counted_; ///< calls whose cost an attempt has
};

ReportAgent &RunReader::agentNamed(const std::string &name) {
  for (ReportAgent &agent : report_.agents)
    if (agent.name == name)
      return agent;
  report_.agents.push_back({.name = name});
  return report_.agents.back();
}

/// One agent's records lie in the run's folder, those of several in folders of their own.
Result<void> RunReader::readCalls() {
  std::vector<std::string> folders = {directory_};
  for (std::size_t i = 0; i < record_.config.agents.size(); ++i)
    folders.push_back(agentDirectory(directory_, i));
  for (const std::string &folder : folders) {
    auto records = CallLog::read(folder);
    if (!records)
      return std::unexpected(records.error());
    if (!records->empty())
      calls_.push_back({records->front().agent, std::move(*records)});
  }
  return {};
}

void RunReader::addCallOf(ReportAttempt &attempt, int call) {
  if (call <= 0)
    return;
  for (const Calls &calls : calls_) {
    if (calls_.size() > 1 && calls.agent != attempt.agent)
      continue;
    if (!counted_.insert({calls.agent, call}).second)
      continue; // another candidate of the same reply has it
    for (const CallRecord &record : calls.records) {
      if (record.call != call)
        continue;
      attempt.tokensIn += record.usage.input();
      attempt.tokensOut += record.usage.output;
      attempt.usd += record.cost.usd;
    }
  }
}

void RunReader::addAttempt(const Iteration &iteration, ReportAttempt &attempt) {
  const Attempt &made = record_.attempts[std::size_t(iteration.attempt)];
  attempt.candidate = made.candidate.id;
  attempt.parent = made.candidate.parent;
  attempt.origin = made.candidate.origin;
  attempt.agent = shownAgent(made.agent);
  attempt.evaluation = made.evaluation;
  attempt.becameBest = made.becameBest;
  report_.sources[made.candidate.id] = made.candidate.text;
  for (const StageTime &time : made.evaluation.times)
    report_.stageSeconds[time.name] += time.seconds;
  ReportAgent *agent = attempt.agent.empty() ? nullptr : &agentNamed(attempt.agent);
  if (agent)
    ++agent->attempts;
  if (made.evaluation.verdict == Verdict::Accepted) {
    if (const auto refused = record_.refused.find(attempt.candidate); refused != record_.refused.end())
      attempt.refusal = refused->second;
    if (!agent || !made.evaluation.measurement)
      return;
    ++agent->accepted;
    const Speedup &speedup = made.evaluation.measurement->speedup;
    if (agent->best && agent->best->ratio >= speedup.ratio)
      return;
    agent->best = speedup;
    agent->bestCandidate = attempt.candidate;
    agent->bestIteration = attempt.iteration;
    agent->bestSeconds = attempt.wallSeconds;
    return;
  }
  ++report_.rejectedByStage[stageName(made.evaluation.verdict == Verdict::NotFaster ? Stage::Benchmark
                                                                                    : made.evaluation.stage)];
  std::set<std::string> checks;
  for (const Finding &finding : made.evaluation.findings)
    checks.insert(finding.check);
  if (made.evaluation.verdict == Verdict::Rejected)
    for (const std::string &check : checks)
      ++report_.rejectedByCheck[check];
}

void RunReader::addIterations() {
  double best = 1, usd = 0;
  for (const Iteration &iteration : record_.iterations) {
    ReportAttempt attempt{.iteration = int(report_.attempts.size()) + 1};
    attempt.wallSeconds = iteration.seconds;
    int call = iteration.call;
    if (iteration.attempt >= 0) {
      addAttempt(iteration, attempt);
      call = callOfOrigin(attempt.origin);
      if (attempt.becameBest && attempt.evaluation.measurement)
        best = attempt.evaluation.measurement->speedup.ratio;
    } else {
      attempt.agent = shownAgent(iteration.agent);
      attempt.origin = fmt::format("a reply without a usable candidate (call {})", call);
      ++report_.rejectedByStage["reply"];
      if (!attempt.agent.empty())
        ++agentNamed(attempt.agent).attempts;
    }
    attempt.best = best;
    addCallOf(attempt, call);
    attempt.usdSoFar = usd += attempt.usd;
    report_.attempts.push_back(std::move(attempt));
  }
}

void RunReader::addCallsOfAgents() {
  for (const Calls &calls : calls_) {
    const bool isAlone = calls_.size() == 1 && report_.agents.size() == 1;
    ReportAgent &agent = isAlone ? report_.agents.front() : agentNamed(calls.agent);
    agent.calls = totalsOf(calls.records);
    report_.calls = sum(report_.calls, agent.calls);
  }
}

void RunReader::addWinner() {
  report_.written = record_.written;
  if (!record_.winner)
    return;
  const Candidate &winner = record_.winner->candidate;
  report_.winner = winner.id;
  report_.sources.try_emplace(winner.id, winner.text);
  const std::optional<Measurement> &measured =
      record_.shipped ? record_.shipped : record_.winner->evaluation.measurement;
  report_.isAsShipped = record_.shipped.has_value();
  if (measured) {
    report_.speedup = measured->speedup;
    report_.winnerReferenceNs = measured->referenceNs;
    report_.winnerNs = measured->candidateNs;
  }
  std::map<std::string, std::string> parents;
  for (const ReportAttempt &attempt : report_.attempts)
    parents.try_emplace(attempt.candidate, attempt.parent);
  std::set<std::string> seen; // a damaged journal may go in circles
  for (std::string id = winner.id; !id.empty() && seen.insert(id).second;
       id = parents.contains(id) ? parents[id] : std::string())
    report_.lineage.insert(report_.lineage.begin(), id);
}

std::string number(double value) {
  return fmt::format("{:g}", value);
}

void RunReader::addConfiguration() {
  const RunConfig &config = record_.config;
  std::vector<std::string> names;
  for (const std::string &name : namesOf(config))
    names.push_back(shownAgent(name));
  auto add = [&](const char *title, const std::string &value) { report_.configuration.emplace_back(title, value); };
  add("agent", join(names, ", "));
  add("iterations", config.maxIterations > 0 ? std::to_string(config.maxIterations) : "unlimited");
  add("seconds", config.maxSeconds > 0 ? number(config.maxSeconds) : "unlimited");
  add("seed", std::to_string(config.seed));
  add("smallest gain", number(config.threshold * 100) + " %");
  if (!config.adequacy.empty())
    add("mutants noticed", config.adequacy);
  if (!config.seedWith.empty())
    add("seeded and polished with", config.seedWith);
  if (!config.optimization.empty())
    add("optimization", config.optimization);
  const bool asks = std::ranges::any_of(names, [](const std::string &name) { return name != kBuiltinAgent; });
  const double budget = std::max(0.0, config.model.budgetUsd - config.model.spentBeforeUsd);
  if (asks) {
    add("budget", usdText(budget));
    add("history", config.model.history);
    add("protocol", config.model.protocol);
  }
  report_.reproduce = "agentic-kernel optimize --build-dir " +
                      shellQuoted(fs::path(directory_).parent_path().parent_path().parent_path().string()) +
                      " --kernel " + shellQuoted(report_.kernel) + " --level " + shellQuoted(report_.level) +
                      " --family " + shellQuoted(report_.family) + " --agent " + shellQuoted(join(names, ",")) +
                      fmt::format(" --seed {} --max-iterations {} --max-seconds {:g}", config.seed,
                                  config.maxIterations, config.maxSeconds);
  if (asks)
    report_.reproduce += fmt::format(" --budget-usd {:g} --history {} --protocol {}", budget,
                                     shellQuoted(config.model.history), shellQuoted(config.model.protocol));
  if (!config.seedWith.empty())
    report_.reproduce += " --seed-with " + shellQuoted(config.seedWith);
  if (!config.optimization.empty())
    report_.reproduce += " --optimization " + shellQuoted(config.optimization);
  if (config.cold)
    report_.reproduce += " --cold";
}

/// Whatever of it is not as expected is left out.
std::vector<ReportSection> RunReader::insight(const std::string &name) const {
  std::vector<ReportSection> sections;
  const auto text = readFile(directory_ + "/insights/" + name + ".json");
  const json file = text ? json::parse(*text, nullptr, false) : json();
  if (!file.is_object() || !file.contains("sections") || !file["sections"].is_array())
    return sections;
  for (const json &section : file["sections"]) {
    auto field = [&](const char *key) {
      return section.is_object() && section.contains(key) && section[key].is_string() ? section[key].get<std::string>()
                                                                                      : std::string();
    };
    if (!field("title").empty())
      sections.push_back({field("title"), field("text"), field("note")});
  }
  return sections;
}

Result<RunReport> RunReader::read() {
  directory_ = fs::absolute(directory_).lexically_normal().string();
  if (directory_.ends_with('/'))
    directory_.pop_back();
  auto record = readRun(directory_);
  if (!record)
    return std::unexpected(record.error());
  record_ = std::move(*record);
  report_.directory = directory_;
  report_.name = fs::path(directory_).filename().string();
  report_.kernel = record_.identity.kernel;
  report_.level = record_.identity.level;
  report_.family = record_.identity.family;
  report_.started = record_.started;
  report_.isFinished = record_.finished;
  report_.reason = record_.reason;
  report_.environment = record_.description.environment;
  report_.baselineNs = record_.description.baselineNs;
  report_.wallSeconds = record_.secondsUsed;
  if (auto baseline = readFile(directory_ + "/baseline.cpp"))
    report_.baselineSource = std::move(*baseline);
  if (auto read = readCalls(); !read)
    return std::unexpected(read.error());
  addIterations();
  addCallsOfAgents();
  addWinner();
  addConfiguration();
  report_.baselineInsight = insight("baseline");
  if (!report_.winner.empty())
    report_.winnerInsight = insight(report_.winner);
  return std::move(report_);
}

} // namespace

Result<RunReport> readRunReport(const std::string &runDirectory) {
  return RunReader(runDirectory).read();
}

Result<std::string> chosenRun(const std::string &given, const std::string &buildDir, const std::string &kernel) {
  if (!given.empty())
    return given;
  const std::vector<std::string> runs = listRuns(runsDirectory(buildDir), kernel);
  if (runs.empty())
    return userError("there is no run" + (kernel.empty() ? "" : " of kernel '" + kernel + "'") + " in " + buildDir,
                     "give the build tree with --build-dir, or make one with 'agentic-kernel optimize'");
  return runs.back();
}

} // namespace agentic
