#include "tool/run/run_reports.h"

#include "tool/agent/call_log.h"
#include "tool/agent/llm_agent.h"
#include "tool/base/files.h"
#include "tool/evaluate/insight/why_faster.h"
#include "tool/report/run_stages.h"
#include "tool/run/run_agents.h"
#include "tool/run/run_configuration.h"
#include "tool/run/run_reproduction.h"
#include "tool/run/run_tree.h"
#include "tool/search/journal.h"
#include "tool/search/journal_fold.h"
#include "tool/search/rejections.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace agentic {
namespace {

using nlohmann::json;

constexpr const char *kBaselineCode = "baseline"; // Evaluation::sameCodeAs

struct Calls {
  std::string agent; ///< owner of the folder, as shown; empty: the run's one agent
  std::vector<CallRecord> records;
};

class RunReader {
public:
  explicit RunReader(const std::string &directory) : directory_(directory) {}

  Result<RunReport> read();

private:
  Result<void> readCalls();
  void addIterations();
  std::optional<double> estimateOf(const ReportAttempt &attempt, double incumbent) const;
  static void addToAgent(ReportAgent &agent, const ReportAttempt &attempt);
  void addAttempt(const Iteration &iteration, ReportAttempt &attempt);
  void addCallOf(ReportAttempt &attempt, int call);
  void addCallsOfAgents();
  void addWinner();
  std::vector<ReportSection> insight(const std::string &name) const;
  ReportAgent &agentNamed(const std::string &name);

  std::string directory_;
  RunRecord record_;
  RunReport report_;
  std::vector<Calls> calls_;
  std::vector<Hypothesis> given_;                 ///< in place of a researcher's
  std::set<std::pair<std::string, int>> counted_; ///< calls whose cost an attempt already has
  std::map<std::string, double> speedups_;        ///< key: id; measured, or estimated
};

ReportAgent &RunReader::agentNamed(const std::string &name) {
  for (ReportAgent &agent : report_.agents)
    if (agent.name == name)
      return agent;
  report_.agents.push_back({.name = name});
  return report_.agents.back();
}

/// One agent's records are in the run's folder, those of several in folders of their own.
Result<void> RunReader::readCalls() {
  std::vector<std::string> folders = {directory_};
  for (std::size_t i = 0; i < record_.config.agents.size(); ++i)
    folders.push_back(agentDirectory(directory_, i));
  const std::vector<std::string> labels = agentLabels(namesOf(record_.config));
  for (std::size_t i = 0; i < folders.size(); ++i) {
    auto records = TRY(CallLog::read(folders[i]));
    if (records.empty())
      continue;
    // The first call of a run with roles may be of another model.
    const bool hasRoles = !records.front().purpose.role.empty();
    calls_.push_back({hasRoles ? labels[i > 0 ? i - 1 : 0] : records.front().agent, std::move(records)});
  }
  return {};
}

void RunReader::addCallOf(ReportAttempt &attempt, int call) {
  if (call <= 0)
    return;
  for (const Calls &calls : calls_) {
    if (calls_.size() > 1 && calls.agent != attempt.agent)
      continue;
    addRoleOf(attempt, call, {calls.records, given_});
    if (!counted_.insert({calls.agent, call}).second)
      continue; // another candidate of the same reply counts it
    for (const CallRecord &record : calls.records) {
      const bool isHelp = record.call < call && !record.purpose.role.empty();
      if (record.call != call && (!isHelp || !counted_.insert({calls.agent, record.call}).second))
        continue;
      attempt.tokensIn += record.usage.input();
      attempt.tokensOut += record.usage.output;
      attempt.usd += record.cost.usd;
    }
  }
}

/// `incumbent`: speedup of the candidate that it was compared with.
std::optional<double> RunReader::estimateOf(const ReportAttempt &attempt, double incumbent) const {
  const Evaluation &evaluation = attempt.evaluation;
  if (evaluation.measurement)
    return std::nullopt;
  if (evaluation.againstIncumbent)
    return incumbent * evaluation.againstIncumbent->speedup.ratio;
  if (evaluation.sameCodeAs == kBaselineCode)
    return 1;
  const auto same = speedups_.find(evaluation.sameCodeAs);
  return same == speedups_.end() ? std::nullopt : std::optional(same->second);
}

void RunReader::addToAgent(ReportAgent &agent, const ReportAttempt &attempt) {
  ++agent.attempts;
  if (!attempt.isAccepted())
    return;
  ++agent.accepted;
  const std::optional<Measurement> &measured = attempt.evaluation.measurement;
  if (!measured || (agent.best && agent.best->ratio >= measured->speedup.ratio))
    return;
  agent.best = measured->speedup;
  agent.bestCandidate = attempt.candidate;
  agent.bestIteration = attempt.iteration;
  agent.bestSeconds = attempt.wallSeconds;
}

void RunReader::addAttempt(const Iteration &iteration, ReportAttempt &attempt) {
  const Attempt &made = record_.attempts[*iteration.attempt];
  attempt.candidate = made.candidate.id;
  attempt.parent = made.candidate.parent;
  attempt.origin = made.candidate.origin;
  attempt.agent = shownAgent(made.agent);
  attempt.evaluation = made.evaluation;
  attempt.becameBest = made.becameBest;
  report_.sources[made.candidate.id] = made.candidate.text;
  if (const Evaluation *const refused = refusalOf(record_, attempt.candidate);
      refused && made.evaluation.verdict == Verdict::Accepted)
    attempt.refusal = *refused;
  if (made.evaluation.verdict != Verdict::Rejected)
    return;
  std::set<std::string> checks;
  for (const Finding &finding : made.evaluation.findings)
    checks.insert(finding.check);
  for (const std::string &check : checks)
    ++report_.rejectedByCheck[check];
}

void RunReader::addIterations() {
  double incumbent = 1, best = 1, usd = 0;
  std::map<std::string, double> agentUsd;
  for (const Iteration &iteration : record_.iterations) {
    ReportAttempt attempt{.iteration = int(report_.attempts.size()) + 1};
    attempt.wallSeconds = iteration.seconds;
    int call = iteration.call;
    if (iteration.attempt) {
      addAttempt(iteration, attempt);
      call = callOfOrigin(attempt.origin);
      attempt.estimate = estimateOf(attempt, incumbent);
      const std::optional<Measurement> &measured = attempt.evaluation.measurement;
      if (measured || attempt.estimate)
        speedups_.try_emplace(attempt.candidate, measured ? measured->speedup.ratio : *attempt.estimate);
      if (attempt.becameBest && measured)
        incumbent = measured->speedup.ratio;
      if (attempt.becameBest && measured && !attempt.refusal)
        best = measured->speedup.ratio;
    } else {
      attempt.agent = shownAgent(iteration.agent);
      attempt.origin = fmt::format("a reply without a usable candidate (call {})", call);
    }
    if (!attempt.agent.empty())
      addToAgent(agentNamed(attempt.agent), attempt);
    attempt.best = best;
    addCallOf(attempt, call);
    attempt.usdSoFar = usd += attempt.usd;
    attempt.agentUsdSoFar = agentUsd[attempt.agent] += attempt.usd;
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
  report_.winnerOrigin = winner.origin;
  ChangedText changes = changesOf(record_, winner.id);
  if (changes.original != winner.id)
    report_.winnerFrom = std::move(changes.original);
  report_.shortening = std::move(changes.shortening);
  report_.reviewed = std::move(changes.review);
  report_.sources.try_emplace(winner.id, winner.text);
  const std::optional<Measurement> &measured =
      record_.shipped ? record_.shipped : record_.winner->evaluation.measurement;
  report_.isAsShipped = record_.shipped.has_value();
  report_.endToEnd = record_.endToEnd;
  if (measured) {
    report_.speedup = measured->speedup;
    report_.baselineNs = measured->referenceNs;
    report_.winnerNs = measured->candidateNs;
  }
  std::map<std::string, std::string> parents;
  if (!report_.winnerFrom.empty())
    parents.emplace(winner.id, report_.winnerFrom);
  for (const ReportAttempt &attempt : report_.attempts)
    parents.try_emplace(attempt.candidate, attempt.parent);
  std::set<std::string> seen; // a damaged journal may have a cycle
  for (std::string id = winner.id; !id.empty() && seen.insert(id).second;
       id = parents.contains(id) ? parents[id] : std::string())
    report_.lineage.insert(report_.lineage.begin(), id);
}

/// Leaves out everything that has an unexpected form.
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
  record_ = TRY(readRun(directory_));
  report_.directory = directory_;
  report_.name = fs::path(directory_).filename().string();
  report_.kernel = record_.identity.kernel;
  report_.level = record_.identity.level;
  report_.family = record_.identity.family;
  report_.started = record_.started;
  report_.isFinished = record_.finished;
  report_.isRunning = isBeingWritten(directory_);
  report_.reason = record_.reason;
  report_.uncovered = record_.config.uncovered;
  report_.environment = record_.description.environment;
  report_.baselineNs = record_.description.baselineNs;
  report_.wallSeconds = record_.secondsUsed;
  if (auto baseline = readFile(directory_ + "/baseline.cpp"))
    report_.baselineSource = std::move(*baseline);
  TRY(readCalls());
  given_ = givenHypotheses(record_.config.model.hypotheses);
  addIterations();
  report_.rejectedByStage = rejectedBy(record_);
  addCallsOfAgents();
  report_.stageSeconds = orderedStages(record_.stageSeconds, report_.calls.seconds, report_.wallSeconds);
  for (const Calls &calls : calls_)
    for (const auto &[role, totals] : totalsByRole(calls.records))
      report_.roles[role] = sum(report_.roles[role], totals);
  for (const Calls &calls : calls_)
    addHypotheses(report_, calls_.size() > 1 ? calls.agent : "", {calls.records, given_});
  if (calls_.empty())
    addHypotheses(report_, "", {.calls = {}, .given = given_});
  addTree(report_, record_);
  addWinner();
  report_.configuration = shownConfiguration(record_.config);
  report_.reproduce = reproductionCommand({.directory = directory_,
                                           .kernel = report_.kernel,
                                           .level = report_.level,
                                           .family = report_.family,
                                           .agents = shownAgents(record_.config)},
                                          record_.config);
  report_.baselineInsight = insight("baseline");
  if (!report_.winner.empty())
    report_.winnerInsight = insight(report_.winner);
  if (const auto why = std::ranges::find(report_.winnerInsight, kWhyTitle, &ReportSection::title);
      why != report_.winnerInsight.end())
    report_.why = why->text;
  return std::move(report_);
}

} // namespace

Result<RunReport> readRunReport(const std::string &runDirectory) {
  return RunReader(runDirectory).read();
}

} // namespace agentic
