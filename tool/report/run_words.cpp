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
  return attempt.evaluation.measurement ? attempt.evaluation.measurement->speedup.ratio : 0;
}

bool isAccepted(const ReportAttempt &attempt) {
  return !attempt.isReply() && attempt.evaluation.verdict == Verdict::Accepted;
}

} // namespace

const Cells kAttemptHeader = {"iteration", "verdict", "speedup", "time", "agent", "candidate", "made by"};

std::string endingText(const RunReport &run) {
  if (!run.isFinished)
    return run.isRunning ? "unfinished: it goes on now" : "unfinished: interrupted; optimize --resume goes on with it";
  return run.reason.empty() ? "finished" : run.reason;
}

std::string winnerText(const RunReport &run) {
  if (run.winner.empty())
    return run.isFinished ? "none: no candidate was confirmed faster than the baseline" : "none confirmed yet";
  const auto attempt = std::ranges::find(run.attempts, run.winner, &ReportAttempt::candidate);
  const std::string origin = attempt == run.attempts.end() ? "" : " (" + attempt->origin + ")";
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

Cells attemptCells(const ReportAttempt &attempt) {
  const Evaluation &evaluation = attempt.evaluation;
  std::string verdict = attempt.isReply() ? "reply" : verdictName(evaluation.verdict);
  if (!attempt.isReply() && evaluation.verdict == Verdict::Rejected)
    verdict += std::string(" by ") + stageName(evaluation.stage);
  return {std::to_string(attempt.iteration),
          verdict,
          evaluation.measurement ? ratioText(evaluation.measurement->speedup) : "",
          evaluation.measurement ? nanoseconds(evaluation.measurement->candidateNs) : "",
          attempt.agent,
          attempt.candidate,
          attempt.origin};
}

std::vector<const ReportAttempt *> bestAttempts(const RunReport &run, std::size_t most) {
  std::vector<const ReportAttempt *> best;
  for (const ReportAttempt &attempt : run.attempts)
    if (attempt.evaluation.measurement)
      best.push_back(&attempt);
  std::ranges::sort(best, [](const ReportAttempt *a, const ReportAttempt *b) {
    return std::tuple(isAccepted(*a), ratioOf(*a), b->iteration) >
           std::tuple(isAccepted(*b), ratioOf(*b), a->iteration);
  });
  if (best.size() > most)
    best.resize(most);
  return best;
}

} // namespace agentic
