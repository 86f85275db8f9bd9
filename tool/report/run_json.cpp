#include "tool/report/run_report.h"
#include "tool/report/run_words.h"
#include "tool/report/speedup_json.h"

#include <nlohmann/json.hpp>

namespace agentic {
namespace {

using nlohmann::json;

json pairsJson(const std::vector<std::pair<std::string, std::string>> &pairs) {
  json list = json::array();
  for (const auto &[title, value] : pairs)
    list.push_back({{"title", title}, {"value", value}});
  return list;
}

json findingsJson(const std::vector<Finding> &findings) {
  json list = json::array();
  for (const Finding &finding : findings)
    list.push_back({{"check", finding.check}, {"line", finding.line}, {"message", finding.message}});
  return list;
}

json attemptJson(const ReportAttempt &attempt) {
  const Evaluation &evaluation = attempt.evaluation;
  json result = {{"iteration", attempt.iteration},
                 {"candidate", known(attempt.candidate)},
                 {"agent", known(attempt.agent)},
                 {"parent", known(attempt.parent)},
                 {"origin", known(attempt.origin)},
                 {"role", known(attempt.role)},
                 {"model", known(attempt.model)},
                 {"plan", known(attempt.plan)},
                 {"hypothesis", attempt.hypothesis > 0 ? json(attempt.hypothesis) : json(nullptr)},
                 {"verdict", verdictOf(attempt)},
                 {"refused_by", attempt.refusal ? json(stageName(attempt.refusal->stage)) : json(nullptr)},
                 {"refusal", attempt.refusal ? known(attempt.refusal->detail) : json(nullptr)},
                 {"stage", attempt.isReply() ? json(nullptr) : json(stageName(evaluation.stage))},
                 {"findings", findingsJson(evaluation.findings)},
                 {"detail", known(evaluation.detail)},
                 {"tuning", known(evaluation.tuning)},
                 {"same_code_as", known(evaluation.sameCodeAs)},
                 {"host", known(evaluation.host)},
                 {"time_ns", nullptr},
                 {"speedup", nullptr},
                 {"against_best", nullptr},
                 {"estimated_speedup", attempt.estimate ? json(*attempt.estimate) : json(nullptr)},
                 {"became_best", attempt.becameBest},
                 {"best", attempt.best},
                 {"tokens_in", attempt.tokensIn},
                 {"tokens_out", attempt.tokensOut},
                 {"cost_usd", attempt.usd},
                 {"cost_usd_so_far", attempt.usdSoFar},
                 {"wall_seconds", attempt.wallSeconds}};
  if (evaluation.measurement) {
    result["time_ns"] = evaluation.measurement->candidateNs;
    result["speedup"] = speedupJson(evaluation.measurement->speedup);
  }
  if (evaluation.againstIncumbent)
    result["against_best"] = speedupJson(evaluation.againstIncumbent->speedup);
  return result;
}

json agentJson(const ReportAgent &agent) {
  return {{"name", agent.name},
          {"attempts", agent.attempts},
          {"accepted", agent.accepted},
          {"calls", agent.calls.calls},
          {"answered", agent.calls.answered},
          {"tokens_in", agent.calls.inputTokens},
          {"tokens_out", agent.calls.outputTokens},
          {"cost_usd", agent.calls.usd},
          {"watt_hours", agent.calls.wattHours},
          {"call_seconds", agent.calls.seconds},
          {"best", known(agent.best)},
          {"best_candidate", known(agent.bestCandidate)},
          {"iterations_to_peak", agent.bestIteration},
          {"seconds_to_peak", agent.bestSeconds}};
}

json sectionsJson(const std::vector<ReportSection> &sections) {
  json list = json::array();
  for (const ReportSection &section : sections)
    list.push_back({{"title", section.title}, {"text", section.text}, {"note", section.note}});
  return list;
}

json stagesJson(const RunReport &run) {
  json stages = json::object();
  for (const auto &[name, seconds] : run.stageSeconds)
    stages[name] = seconds;
  return stages;
}

json treeJson(const RunReport &run) {
  json tree = json::array();
  for (const ReportBranch &branch : run.tree)
    tree.push_back({{"depth", branch.depth}, {"iteration", run.attempts[branch.attempt].iteration}});
  return tree;
}

json cellsJson(const RunReport &run) {
  json cells = json::array();
  for (const ReportCell &cell : run.cells)
    cells.push_back({{"population", cell.population}, {"traits", cell.traits}, {"candidate", cell.candidate}});
  return cells;
}

json hypothesesJson(const RunReport &run) {
  json list = json::array();
  for (const ReportHypothesis &hypothesis : run.hypotheses) {
    const ReportAttempt *best = hypothesis.best ? &run.attempts[*hypothesis.best] : nullptr;
    const bool isMeasured = best && best->evaluation.measurement;
    list.push_back({{"number", hypothesis.number},
                    {"agent", known(hypothesis.agent)},
                    {"hypothesis", hypothesis.what},
                    {"why", hypothesis.why},
                    {"gain", known(hypothesis.gain)},
                    {"risk", known(hypothesis.risk)},
                    {"source", known(hypothesis.source)},
                    {"outcome", outcomeOf(run, hypothesis)},
                    {"tried", hypothesis.tried},
                    {"iteration", best ? json(best->iteration) : json(nullptr)},
                    {"candidate", best ? known(best->candidate) : json(nullptr)},
                    {"verdict", best ? json(verdictOf(*best)) : json(nullptr)},
                    {"speedup", isMeasured ? speedupJson(best->evaluation.measurement->speedup) : json(nullptr)}});
  }
  return list;
}

json runJson(const RunReport &run) {
  json agents = json::array(), attempts = json::array();
  for (const ReportAgent &agent : run.agents)
    agents.push_back(agentJson(agent));
  for (const ReportAttempt &attempt : run.attempts)
    attempts.push_back(attemptJson(attempt));
  return {{"run", run.name},
          {"directory", run.directory},
          {"kernel", run.kernel},
          {"level", known(run.level)},
          {"family", known(run.family)},
          {"started", known(run.started)},
          {"finished", run.isFinished},
          {"running", run.isRunning},
          {"reason", known(run.reason)},
          {"uncovered", known(run.uncovered)},
          {"configuration", pairsJson(run.configuration)},
          {"environment", pairsJson(run.environment)},
          {"reproduce", run.reproduce},
          {"baseline_ns", known(run.baselineNs)},
          {"winner", known(run.winner)},
          {"winner_origin", known(run.winnerOrigin)},
          {"winner_from", known(run.winnerFrom)},
          {"shortening", known(run.shortening)},
          {"reviewed", known(run.reviewed)},
          {"why", known(run.why)},
          {"speedup", known(run.speedup)},
          {"reference_ns", run.winner.empty() ? json(nullptr) : known(run.baselineNs)},
          {"winner_ns", known(run.winnerNs)},
          {"as_shipped", run.isAsShipped},
          {"end_to_end", known(run.endToEnd)},
          {"written", run.written},
          {"iterations", run.attempts.size()},
          {"wall_seconds", run.wallSeconds},
          {"calls", run.calls.calls},
          {"answered", run.calls.answered},
          {"tokens_in", run.calls.inputTokens},
          {"tokens_out", run.calls.outputTokens},
          {"cost_usd", run.calls.usd},
          {"watt_hours", run.calls.wattHours},
          {"call_seconds", run.calls.seconds},
          {"stage_seconds", stagesJson(run)},
          {"rejected", run.rejectedByStage},
          {"rejected_by_check", run.rejectedByCheck},
          {"agents", agents},
          {"attempts", attempts},
          {"strategy", known(run.strategy)},
          {"tree", treeJson(run)},
          {"cells", cellsJson(run)},
          {"roles", rolesJson(run.roles)},
          {"judge", known(run.judge)},
          {"hypotheses", hypothesesJson(run)},
          {"lineage", run.lineage},
          {"insight", {{"baseline", sectionsJson(run.baselineInsight)}, {"winner", sectionsJson(run.winnerInsight)}}}};
}

} // namespace

json reportJson(std::span<const RunReport> runs) {
  json list = json::array();
  for (const RunReport &run : runs)
    list.push_back(runJson(run));
  return {{"version", 1}, {"runs", list}};
}

} // namespace agentic
