#include "tool/report/page_model.h"

#include "tool/model/figures.h"
#include "tool/report/run_report.h"
#include "tool/report/run_stages.h"
#include "tool/report/run_words.h"

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agentic {
namespace {

constexpr std::size_t kMostPageBranches = 500;

std::string_view sourceOf(const RunReport &run, const std::string &candidate) {
  const auto source = run.sources.find(candidate);
  return source == run.sources.end() ? std::string_view() : std::string_view(source->second);
}

std::string findingsText(const std::vector<Finding> &findings) {
  std::string text;
  for (const Finding &finding : findings)
    text += fmt::format("{}{}{}: {}\n", finding.check, finding.file.empty() ? "" : " in " + finding.file,
                        finding.line == 0 ? "" : fmt::format(":{}", finding.line), finding.message);
  return text;
}

void addIf(TextPairs &pairs, const char *title, std::string text) {
  if (!text.empty())
    pairs.emplace_back(title, std::move(text));
}

std::string reviewText(const std::vector<std::string> &review) {
  std::string text;
  for (const std::string &line : review)
    text += line + "\n";
  return text;
}

PageAttempt pageAttempt(const RunReport &run, const ReportAttempt &attempt) {
  PageAttempt shown;
  const Evaluation &evaluation = attempt.evaluation;
  shown.id = attempt.candidate;
  shown.source = attempt.isReply() ? std::string_view() : sourceOf(run, attempt.candidate);
  shown.agent = attempt.agent;
  shown.iteration = attempt.iteration;
  shown.best = attempt.best;
  shown.wall = attempt.wallSeconds;
  shown.dollars = attempt.usdSoFar;
  shown.agentDollars = attempt.agentUsdSoFar;
  shown.verdict = verdictOf(attempt);
  addIf(shown.facts, "Origin", attempt.origin);
  addIf(shown.facts, "Made from", attempt.parent);
  addIf(shown.facts, "Role", attempt.role);
  addIf(shown.facts, "Model", attempt.role.empty() ? "" : attempt.model);
  addIf(shown.facts, "Plan", attempt.plan);
  if (attempt.tokensIn > 0 || attempt.tokensOut > 0)
    shown.facts.emplace_back("Tokens of the call", fmt::format("{} in, {} out", attempt.tokensIn, attempt.tokensOut));
  if (attempt.isReply())
    return shown;
  shown.stage = stageName(attempt.decisive().stage);
  shown.estimate = attempt.estimate;
  if (evaluation.stage == Stage::Check && !evaluation.findings.empty())
    shown.check = evaluation.findings[0].check;
  if (evaluation.measurement) {
    shown.speedup = evaluation.measurement->speedup;
    shown.ns = evaluation.measurement->candidateNs;
  }
  if (evaluation.againstIncumbent)
    shown.facts.emplace_back("Against the best before it", ratioText(evaluation.againstIncumbent->speedup));
  addIf(shown.facts, "Same code as", evaluation.sameCodeAs);
  addIf(shown.facts, "Open constants", evaluation.tuning);
  addIf(shown.facts, "Measured on", evaluation.host);
  if (evaluation.codeBytes > 0)
    shown.facts.emplace_back("Code", fmt::format("{} bytes", evaluation.codeBytes));
  addIf(shown.texts, "Findings", findingsText(evaluation.findings));
  addIf(shown.texts, "What happened", evaluation.detail);
  if (attempt.refusal) {
    const std::string title = std::string("Why it was refused by ") + stageName(attempt.refusal->stage);
    addIf(shown.texts, title.c_str(), findingsText(attempt.refusal->findings) + attempt.refusal->detail);
  }
  addIf(shown.texts, "For a reviewer", reviewText(evaluation.review) + findingsText(evaluation.notes));
  return shown;
}

std::string rankText(const RunReport &run) {
  if (!run.isFinished)
    return std::string("This run has not ended: ") +
           (run.isRunning ? "it goes on now" : "it was interrupted, and optimize --resume goes on with it") +
           ". What is here is what its journal holds so far.";
  return run.reason.empty() ? "" : "The run ended: " + run.reason;
}

std::vector<PageStage> pageStages(const RunReport &run) {
  std::vector<PageStage> stages;
  for (const auto &[name, seconds] : run.stageSeconds)
    stages.push_back({name, seconds, name == kCallsOfModels ? run.calls.usd : 0});
  return stages;
}

/// Counts rejections by check; those of other stages by the stage.
std::vector<std::pair<std::string, std::size_t>> pageRejected(const RunReport &run) {
  std::vector<std::pair<std::string, std::size_t>> rejected;
  for (const auto &[check, count] : run.rejectedByCheck)
    rejected.emplace_back("check: " + check, count);
  for (const auto &[stage, count] : run.rejectedByStage)
    if (stage != "check" || run.rejectedByCheck.empty())
      rejected.emplace_back(stage == "benchmark" ? "benchmark: not faster" : stage, count);
  return rejected;
}

const ReportAttempt *attemptOf(const RunReport &run, const std::string &candidate) {
  for (const ReportAttempt &attempt : run.attempts)
    if (attempt.candidate == candidate)
      return &attempt;
  return nullptr;
}

std::vector<PageStep> pageLineage(const RunReport &run) {
  std::vector<PageStep> steps;
  for (const std::string &id : run.lineage) {
    PageStep step{
        id, id == run.winner && !run.winnerFrom.empty() ? (run.reviewed.empty() ? "shortened" : "reviewed") : "", {}};
    if (const ReportAttempt *attempt = attemptOf(run, id)) {
      step.text = attempt->origin;
      if (attempt->evaluation.measurement)
        step.speedup = attempt->evaluation.measurement->speedup;
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

void addTree(const RunReport &run, PageRun &shown) {
  shown.strategy = run.strategy;
  for (const ReportBranch &branch : run.tree) {
    if (shown.tree.size() == kMostPageBranches)
      break;
    const ReportAttempt &attempt = run.attempts[branch.attempt];
    shown.tree.push_back(
        {branch.depth, attempt.candidate, fmt::format("#{} {}", attempt.iteration, branchText(attempt))});
  }
  shown.branchesLeft = run.tree.size() - shown.tree.size();
  for (const ReportCell &cell : run.cells)
    shown.cells.emplace_back(
        fmt::format("population {}: {}", cell.population + 1, cell.traits.empty() ? "not told apart" : cell.traits),
        cell.candidate);
  for (const auto &[role, totals] : run.roles)
    shown.roles.emplace_back(role, callsText(totals));
  shown.judge = run.judge;
  for (const ReportHypothesis &hypothesis : run.hypotheses)
    shown.hypotheses.emplace_back(hypothesisText(hypothesis) + ": " + hypothesis.why, outcomeText(run, hypothesis));
}

std::vector<PageComparison> pageComparisons(const RunReport &run) {
  std::vector<PageComparison> comparisons;
  const auto of = [&](const std::string &title) -> PageComparison & {
    for (PageComparison &known : comparisons)
      if (known.title == title)
        return known;
    return comparisons.emplace_back(PageComparison{title, {}, {}, !run.winner.empty()});
  };
  for (const ReportSection &section : run.baselineInsight)
    of(section.title).before = {section.text, section.note, true};
  for (const ReportSection &section : run.winnerInsight)
    of(section.title).after = {section.text, section.note, true};
  return comparisons;
}

std::string timesText(const RunReport &run) {
  if (run.baselineNs <= 0)
    return {};
  return run.winnerNs > 0 ? nanoseconds(run.baselineNs) + " → " + nanoseconds(run.winnerNs)
                          : "baseline " + nanoseconds(run.baselineNs);
}

PageRun pageRun(const RunReport &run, const std::string &label) {
  PageRun shown;
  shown.label = label;
  shown.name = fmt::format("{}{}{}", run.kernel.empty() ? run.name : run.kernel,
                           run.level.empty() ? "" : " on " + run.level, run.family.empty() ? "" : ", " + run.family);
  if (!label.empty())
    shown.name = fmt::format("{}: {}{}", label, shown.name, run.started.empty() ? "" : " (" + run.started + ")");
  for (const ReportAttempt &attempt : run.attempts)
    shown.attempts.push_back(pageAttempt(run, attempt));
  shown.best = run.speedup;
  shown.winner = run.winner;
  shown.endToEnd = run.endToEnd ? endToEndText(*run.endToEnd) : "";
  shown.times = timesText(run);
  shown.seconds = run.wallSeconds;
  shown.dollars = run.calls.usd;
  if (run.calls.inputTokens + run.calls.outputTokens > 0)
    shown.tokens = tokensText(run.calls.inputTokens, run.calls.outputTokens);
  shown.standing = rankText(run);
  shown.hasEnded = run.isFinished;
  shown.stages = pageStages(run);
  shown.rejected = pageRejected(run);
  shown.lineage = pageLineage(run);
  addTree(run, shown);
  shown.baselineSource = run.baselineSource;
  shown.winnerSource = sourceOf(run, run.winner);
  shown.comparisons = pageComparisons(run);
  addIf(shown.environment, "Run", run.name);
  addIf(shown.environment, "Began", run.started);
  addIf(shown.environment, "Shortened", run.shortening);
  addIf(shown.environment, "Reviewed", run.reviewed);
  addIf(shown.environment, "Never run", run.uncovered);
  shown.environment.insert(shown.environment.end(), run.environment.begin(), run.environment.end());
  shown.environment.insert(shown.environment.end(), run.configuration.begin(), run.configuration.end());
  shown.reproduce = run.reproduce;
  return shown;
}

void addAgents(const RunReport &run, const std::string &label, std::vector<PageAgent> &agents) {
  for (const ReportAgent &agent : run.agents)
    agents.push_back({label.empty() ? agent.name : label + ": " + agent.name, agent.best,
                      static_cast<std::size_t>(agent.attempts), static_cast<std::size_t>(agent.accepted),
                      agent.calls.calls > 0, agent.calls.seconds, agent.calls.usd});
}

} // namespace

PageModel pageModel(std::span<const RunReport> runs) {
  PageModel page;
  for (const RunReport &run : runs) {
    const std::string label = runs.size() > 1 ? fmt::format("run {}", page.runs.size() + 1) : std::string();
    page.runs.push_back(pageRun(run, label));
    addAgents(run, label, page.agents);
  }
  return page;
}

} // namespace agentic
