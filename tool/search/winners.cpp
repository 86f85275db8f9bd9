#include "tool/search/winners.h"

#include "tool/search/journal_fold.h"
#include "tool/source/parse/lexed_text.h"

#include <algorithm>
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

Result<Shortened> shortenWinner(Evaluator &evaluator, Journal &journal, const Candidate &winner,
                                const ShorteningSettings &settings, const ShorteningRun &run) {
  const RunRecord &record = journal.record();
  if (const auto before = record.shortened.find(winner.id); before != record.shortened.end())
    return before->second;
  const bool isStyled = !settings.format || settings.format(winner.text) == winner.text;
  const bool leavesOut = settings.leavesOut && settings.secondsLeft && settings.secondsLeft() > 0;
  if (isStyled && !leavesOut)
    return Shortened{.candidate = winner};
  TRY(journal.shortening(winner, run.secondsUsed()));
  if (run.listener)
    run.listener(run_event::Shortening{winner});
  ShorteningRequest request{.winner = winner, .leavesOut = leavesOut, .format = settings.format};
  if (leavesOut && settings.stepsOf)
    request.steps = settings.stepsOf(winner);
  if (const auto tried = record.shorter.find(winner.id); tried != record.shorter.end())
    request.tried = tried->second;
  request.judge = [&](const Candidate &shorter, ShorterRequest asked,
                      bool isLimited) -> Result<std::optional<Evaluation>> {
    asked.seconds = isLimited ? settings.secondsLeft() : 0;
    if (run.isCancelled() || (isLimited && asked.seconds <= 0))
      return std::nullopt;
    auto evaluation = evaluator.shortened(shorter, asked);
    if (run.isCancelled() || (!evaluation && evaluation.error().kind == ErrorKind::Interrupted))
      return std::nullopt; // the time was up, which is no verdict
    if (!evaluation)
      return std::unexpected(evaluation.error());
    return std::move(*evaluation);
  };
  request.record = [&](const TriedShorter &tried) { return journal.triedShorter(winner.id, tried, run.secondsUsed()); };
  auto shortened = TRY(shorten(request));
  if (run.isCancelled())
    return interruptedError();
  TRY(journal.shortened(winner.id, shortened, run.secondsUsed()));
  if (run.listener)
    run.listener(run_event::Shortened{winner, shortened.summary});
  return shortened;
}

} // namespace agentic
