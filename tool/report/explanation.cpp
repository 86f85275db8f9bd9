#include "tool/report/explanation.h"

#include "tool/base/text.h"
#include "tool/model/figures.h"
#include "tool/model/stages.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <set>

namespace agentic {
namespace {

/// "#12", "12" → 12; else 0.
int iterationNamed(std::string_view what) {
  if (what.starts_with('#'))
    what.remove_prefix(1);
  int iteration = 0;
  const auto [end, error] = std::from_chars(what.data(), what.data() + what.size(), iteration);
  return error == std::errc() && end == what.data() + what.size() && iteration > 0 ? iteration : 0;
}

void addWhy(Explanation &explanation, const Evaluation &evaluation) {
  for (const Finding &finding : evaluation.findings)
    explanation.why.push_back((finding.line > 0 ? fmt::format("line {}: ", finding.line) : std::string()) +
                              finding.message + (finding.check.empty() ? "" : " [" + finding.check + "]"));
  if (!evaluation.detail.empty())
    explanation.why.push_back(evaluation.detail);
  if (evaluation.measurement && !evaluation.measurement->reason.empty())
    explanation.why.push_back(evaluation.measurement->reason);
  if (evaluation.againstIncumbent)
    explanation.why.push_back("against the best before it: " + ratioText(evaluation.againstIncumbent->speedup));
  if (!evaluation.sameCodeAs.empty() && evaluation.detail.empty()) // the detail names it already
    explanation.why.push_back("it compiles to the same code as " + evaluation.sameCodeAs);
  if (!evaluation.tuning.empty())
    explanation.why.push_back("its open constants: " + evaluation.tuning);
  if (!evaluation.host.empty())
    explanation.why.push_back("measured on " + evaluation.host);
  for (const std::string &line : evaluation.review)
    explanation.why.push_back("for review: " + line);
}

std::string headline(const RunReport &run, const ReportAttempt &attempt) {
  const Evaluation &evaluation = attempt.evaluation;
  if (attempt.isReply())
    return "a reply without a usable candidate";
  if (evaluation.verdict == Verdict::Rejected)
    return std::string("rejected by ") + stageName(evaluation.stage);
  const std::string measured = evaluation.measurement
                                   ? ": " + ratioText(evaluation.measurement->speedup) + " over the baseline, " +
                                         nanoseconds(evaluation.measurement->candidateNs)
                                   : std::string();
  if (evaluation.verdict == Verdict::NotFaster)
    return "correct, but not faster than the best" + measured;
  if (attempt.candidate == run.winningAttempt())
    return "the winner" + measured +
           (run.speedup && run.isAsShipped ? "; as it ships " + ratioText(*run.speedup) : std::string());
  return "accepted" + measured +
         (attempt.refusal ? std::string("; refused by ") + stageName(attempt.refusal->stage) : std::string());
}

} // namespace

std::vector<const ReportAttempt *> attemptsNamed(const RunReport &run, const std::string &what) {
  std::vector<const ReportAttempt *> named;
  const int iteration = iterationNamed(what);
  for (const ReportAttempt &attempt : run.attempts)
    if (iteration > 0 ? attempt.iteration == iteration : !what.empty() && attempt.candidate.starts_with(what))
      named.push_back(&attempt);
  // A shorter text of an attempt is explained with it.
  if (named.empty() && !what.empty() && run.winner.starts_with(what) && !run.winnerFrom.empty())
    return attemptsNamed(run, run.winnerFrom);
  std::set<std::string> ids; // an id that was evaluated twice is one candidate with the last verdict
  for (const ReportAttempt *attempt : named)
    ids.insert(attempt->candidate);
  if (iteration == 0 && ids.size() == 1 && named.size() > 1)
    named.erase(named.begin(), named.end() - 1);
  return named;
}

Explanation explain(const RunReport &run, const ReportAttempt &attempt, const std::string &buildDir) {
  Explanation explanation;
  explanation.candidate = attempt.isReply() ? fmt::format("iteration {}", attempt.iteration) : attempt.candidate;
  explanation.headline = headline(run, attempt);
  addWhy(explanation, attempt.evaluation);
  if (attempt.refusal)
    addWhy(explanation, *attempt.refusal);
  if (!run.winnerFrom.empty() && attempt.candidate == run.winnerFrom) {
    explanation.candidate = run.winner;
    if (!run.shortening.empty())
      explanation.why.push_back("shortened from " + run.winnerFrom + ": " + run.shortening);
    if (!run.reviewed.empty())
      explanation.why.push_back("reviewed " + run.reviewed);
  }
  const std::string tree = " --build-dir " + shellQuoted(buildDir) + " --kernel " + shellQuoted(run.kernel);
  if (attempt.isReply()) {
    explanation.next.push_back("agentic-kernel show " + std::to_string(attempt.iteration) + tree);
    return explanation;
  }
  const auto fileOf = [&](const std::string &id) { return shellQuoted(run.directory + "/candidates/" + id + ".cpp"); };
  const std::string file = fileOf(attempt.candidate);
  if (attempt.evaluation.verdict == Verdict::Rejected)
    explanation.next.push_back(rowOf(attempt.evaluation.stage).next);
  else if (attempt.refusal)
    explanation.next.push_back(rowOf(attempt.refusal->stage).next);
  else if (attempt.candidate == run.winningAttempt() && run.written.empty())
    explanation.next.push_back("write it: agentic-kernel apply" + tree + " " + fileOf(run.winner));
  else if (attempt.evaluation.verdict == Verdict::NotFaster)
    explanation.next.push_back(rowOf(Stage::Benchmark).next);
  explanation.next.push_back("try it again: agentic-kernel evaluate" + tree + " " + file);
  return explanation;
}

nlohmann::json explanationJson(const Explanation &explanation) {
  return {{"candidate", explanation.candidate},
          {"headline", explanation.headline},
          {"why", explanation.why},
          {"next", explanation.next}};
}

} // namespace agentic
