#include "tool/search/winners.h"

#include "tool/search/journal_fold.h"
#include "tool/search/review.h"
#include "tool/source/parse/lexed_text.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <vector>

namespace agentic {
namespace {

/// The accepted ones that can be confirmed, the likeliest first.
std::vector<const Attempt *> confirmable(const RunRecord &record) {
  std::vector<const Attempt *> accepted;
  for (const Attempt &attempt : record.attempts)
    if (attempt.evaluation.verdict == Verdict::Accepted && attempt.evaluation.measurement &&
        !refusalOf(record, attempt.candidate.id)) // rejected before, perhaps by an earlier process
      accepted.push_back(&attempt);
  // The incumbent won directly against its predecessors, so it comes before equal or slightly larger ratios.
  const Attempt *const leader = incumbentOf(record);
  std::ranges::sort(accepted, {}, [&](const Attempt *attempt) {
    return std::tuple(!leader || attempt->candidate.id != leader->candidate.id,
                      -attempt->evaluation.measurement->speedup.ratio, attempt); // then the earlier one
  });
  return accepted;
}

std::size_t lengthOf(const Attempt &attempt) {
  return tokenText(attempt.candidate.text).size();
}

/// `seconds`: those that are left for it.
ShorteningRequest requestFor(const Candidate &winner, const WinnerRun &run, bool isReview,
                             const std::function<double()> &seconds) {
  ShorteningRequest request{.winner = winner, .isReview = isReview, .format = run.settings.format};
  const auto &tried = run.journal.record().shorter;
  if (const auto before = tried.find(winner.id); before != tried.end())
    std::ranges::copy_if(before->second, std::back_inserter(request.tried),
                         [&](const TriedShorter &one) { return one.verdict.has_value() == isReview; });
  request.judge = [&run, seconds](const Candidate &text, ShorterRequest asked,
                                  bool isLimited) -> Result<std::optional<Evaluation>> {
    asked.seconds = isLimited ? seconds() : 0;
    if (run.isCancelled() || (isLimited && asked.seconds <= 0))
      return std::nullopt;
    auto evaluation = run.evaluator.shortened(text, asked);
    if (run.isCancelled() || (!evaluation && evaluation.error().kind == ErrorKind::Interrupted))
      return std::nullopt; // the time was up, which is no verdict
    if (!evaluation)
      return std::unexpected(evaluation.error());
    return std::move(*evaluation);
  };
  request.record = [&run, id = winner.id](const TriedShorter &one) {
    return run.journal.triedShorter(id, one, run.secondsUsed());
  };
  return request;
}

/// Returns the winner itself if there is no time.
Result<Shortened> shortenWinner(const Candidate &winner, const WinnerRun &run) {
  const RunRecord &record = run.journal.record();
  const ShorteningSettings &settings = run.settings;
  if (const auto before = record.shortened.find(winner.id); before != record.shortened.end())
    return before->second;
  const bool isStyled = !settings.format || settings.format(winner.text) == winner.text;
  const bool leavesOut = settings.leavesOut && settings.secondsLeft && settings.secondsLeft() > 0;
  if (isStyled && !leavesOut)
    return Shortened{.candidate = winner};
  TRY(run.journal.shortening(winner, run.secondsUsed()));
  if (run.listener)
    run.listener(run_event::Shortening{winner});
  ShorteningRequest request = requestFor(winner, run, false, settings.secondsLeft);
  request.leavesOut = leavesOut;
  if (leavesOut && settings.stepsOf)
    request.steps = settings.stepsOf(winner);
  auto shortened = TRY(shorten(request));
  if (run.isCancelled())
    return interruptedError();
  TRY(run.journal.shortened(winner.id, shortened, run.secondsUsed()));
  if (run.listener)
    run.listener(run_event::Shortened{winner, shortened.summary});
  return shortened;
}

/// `original`: the attempt that the winner was shortened from; perhaps itself. Returns the winner itself if nobody
/// reviews, or there is no time.
Result<Shortened> reviewWinner(const Candidate &original, const Candidate &winner, const WinnerRun &run) {
  const RunRecord &record = run.journal.record();
  if (const auto before = record.reviewed.find(winner.id); before != record.reviewed.end())
    return before->second;
  const double seconds = run.settings.reviewSeconds ? run.settings.reviewSeconds() : 0;
  if (seconds <= 0)
    return Shortened{.candidate = winner};
  const auto secondsLeft = [&run, end = run.secondsUsed() + seconds] { return std::max(0.0, end - run.secondsUsed()); };
  if (record.confirming.empty()) // a process that goes on must know that the search has ended
    TRY(run.journal.shortening(original, run.secondsUsed()));
  if (run.listener)
    run.listener(run_event::Reviewing{winner});
  ReviewSteps steps;
  steps.ask = [&](const ReviewQuestion &question) {
    RunState state = run.state();
    state.secondsLeft = secondsLeft();
    return run.agent.review(state, question);
  };
  steps.record = [&](const Candidate &answer) { return run.journal.reviewing(winner.id, answer, run.secondsUsed()); };
  steps.isAttempt = [&](const std::string &candidate) { return attemptOf(record.attempts, candidate).has_value(); };
  auto reviewed = TRY(review(requestFor(winner, run, true, secondsLeft), steps));
  if (run.isCancelled())
    return interruptedError();
  TRY(run.journal.reviewed(winner.id, reviewed.text, run.secondsUsed()));
  if (run.listener)
    run.listener(run_event::Reviewed{winner, reviewed.text.summary, reviewed.note});
  return reviewed.text;
}

} // namespace

std::optional<Candidate> likeliestWinner(const RunRecord &record, const std::string &fresh) {
  const std::vector<const Attempt *> accepted = confirmable(record);
  if (accepted.empty())
    return std::nullopt;
  const Attempt *best = accepted.front();
  const std::string &code = best->evaluation.objectHash;
  if (best->candidate.id == fresh || code.empty())
    return best->candidate;
  for (const Attempt *other : accepted)
    if (other->evaluation.objectHash == code && lengthOf(*other) < lengthOf(*best))
      best = other;
  return best->candidate;
}

Result<StandIn> standInFor(const Candidate &winner, const WinnerRun &run) {
  const RunRecord &record = run.journal.record();
  const Shortened shortened = TRY(shortenWinner(winner, run));
  if (refusalOf(record, shortened.candidate.id))
    return StandIn{.candidate = winner};
  const Shortened reviewed = TRY(reviewWinner(winner, shortened.candidate, run));
  if (record.refused.contains(reviewed.candidate.id))
    return StandIn{.candidate = shortened.candidate, .shortening = shortened.summary};
  return StandIn{.candidate = reviewed.candidate, .shortening = shortened.summary, .review = reviewed.summary};
}

} // namespace agentic
