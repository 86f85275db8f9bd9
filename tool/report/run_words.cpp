#include "tool/report/run_words.h"

#include "tool/base/money.h"
#include "tool/base/text.h"
#include "tool/model/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace agentic {
namespace {

double ratioOf(const ReportAttempt &attempt) {
  return attempt.evaluation.measurement ? attempt.evaluation.measurement->speedup.ratio : attempt.estimate.value_or(0);
}

} // namespace

std::string endingText(const RunReport &run) {
  if (!run.isFinished)
    return run.isRunning ? "unfinished: it goes on now" : "unfinished: interrupted; optimize --resume goes on with it";
  return run.reason.empty() ? "finished" : run.reason;
}

std::string winnerText(const RunReport &run) {
  if (run.winner.empty())
    return !run.isFinished        ? "none confirmed yet"
           : run.attempts.empty() ? "none: 0 candidates tried" + (run.reason.empty() ? "" : ": " + run.reason)
                                  : "none: no candidate was confirmed faster than the baseline";
  const std::string origin = run.winnerOrigin.empty() ? "" : " (" + run.winnerOrigin + ")";
  return (run.winnerNs > 0 ? nanoseconds(run.winnerNs) + "  " : "") + run.winner + origin;
}

std::string speedupText(const RunReport &run) {
  if (!run.speedup)
    return {};
  return ratioText(*run.speedup) +
         (run.isAsShipped ? "  built as it ships, against the original build" : "  against the baseline");
}

std::string countsText(const RunReport &run) {
  std::vector<std::string> rejected;
  for (const auto &[stage, count] : run.rejectedByStage)
    rejected.push_back(fmt::format("{} {}", stage, count));
  return fmt::format("{} tried", run.attempts.size()) +
         (rejected.empty() ? "" : "; not taken: " + join(rejected, ", "));
}

const char *verdictOf(const ReportAttempt &attempt) {
  return attempt.isReply() ? "reply" : attempt.refusal ? "refused" : verdictName(attempt.evaluation.verdict);
}

std::string verdictText(const ReportAttempt &attempt) {
  if (attempt.isReply())
    return "no candidate";
  const bool hasJudge = attempt.refusal || attempt.evaluation.verdict == Verdict::Rejected;
  return verdictOf(attempt) + (hasJudge ? std::string(" by ") + stageName(attempt.decisive().stage) : std::string());
}

std::string searchSpeedupText(const ReportAttempt &attempt) {
  if (attempt.evaluation.measurement)
    return ratioText(attempt.evaluation.measurement->speedup);
  return attempt.estimate ? "about " + ratioText(*attempt.estimate) : std::string();
}

std::vector<std::string> roleCosts(const std::map<std::string, CallTotals> &roles) {
  std::vector<std::string> texts;
  for (const auto &[role, totals] : roles)
    texts.push_back(role + " " + callsText(totals));
  return texts;
}

std::string branchText(const ReportAttempt &attempt) {
  const std::string speedup = searchSpeedupText(attempt);
  std::string text = verdictText(attempt);
  if (!speedup.empty())
    text += ", " + speedup;
  if (!attempt.model.empty())
    text += ", " + attempt.model + (attempt.role.empty() ? "" : " as " + attempt.role);
  else if (!attempt.agent.empty())
    text += ", " + attempt.agent;
  return text + (attempt.plan.empty() ? "" : ": " + attempt.plan);
}

const char *outcomeOf(const RunReport &run, const ReportHypothesis &hypothesis) {
  if (!hypothesis.best)
    return "not tried";
  return run.attempts[*hypothesis.best].isAccepted() ? "held" : "did not";
}

std::string outcomeText(const RunReport &run, const ReportHypothesis &hypothesis) {
  const std::string outcome = outcomeOf(run, hypothesis);
  if (!hypothesis.best)
    return outcome;
  const ReportAttempt &best = run.attempts[*hypothesis.best];
  const std::string speedup = searchSpeedupText(best);
  return outcome + ": " + best.candidate + (best.isReply() ? "" : " ") + verdictText(best) +
         (speedup.empty() ? "" : ", " + speedup);
}

std::string hypothesisText(const ReportHypothesis &hypothesis) {
  std::vector<std::string> notes;
  if (!hypothesis.agent.empty())
    notes.push_back("of " + hypothesis.agent);
  if (hypothesis.gain)
    notes.push_back("expected " + ratioText(*hypothesis.gain));
  if (!hypothesis.source.empty())
    notes.push_back("from " + hypothesis.source);
  return fmt::format("{}. {}{}", hypothesis.number, hypothesis.what,
                     notes.empty() ? "" : " (" + join(notes, ", ") + ")");
}

bool hasSeveralAgents(const RunReport &run) {
  return run.agents.size() > 1;
}

std::vector<const ReportAttempt *> bestAttempts(const RunReport &run, std::size_t most) {
  std::vector<const ReportAttempt *> best;
  for (const ReportAttempt &attempt : run.attempts)
    if (attempt.evaluation.measurement || attempt.estimate)
      best.push_back(&attempt);
  std::ranges::sort(best, [](const ReportAttempt *a, const ReportAttempt *b) {
    return std::tuple(a->isAccepted(), ratioOf(*a), b->iteration) >
           std::tuple(b->isAccepted(), ratioOf(*b), a->iteration);
  });
  if (best.size() > most)
    best.resize(most);
  return best;
}

} // namespace agentic
