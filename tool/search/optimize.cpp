#include "tool/search/optimize.h"

#include "tool/search/ask_queue.h"
#include "tool/search/rejections.h"
#include "tool/search/start_state.h"
#include "tool/search/tuning.h"
#include "tool/search/winners.h"

#include <algorithm>
#include <set>
#include <utility>

namespace agentic {
namespace {

/// At most this many of the best are confirmed; each one more costs ≥ 12 pairs and weakens Holm's correction.
constexpr int kMaxConfirmations = 3;

class RunLoop {
public:
  RunLoop(Evaluator &evaluator, Agent &agent, Journal &journal, const RunRequest &request, const RunListener &listener)
      : evaluator_(evaluator), agent_(agent), journal_(journal), request_(request), listener_(listener),
        searchedBefore_(journal.record().searchSeconds), searchStart_(request.clock()) {}

  Result<RunOutcome> run();

private:
  void tell(const RunEvent &event) const {
    if (listener_)
      listener_(event);
  }
  Result<bool> step(const Candidate &candidate); ///< false: stop, outcome_.reason is set
  Result<std::optional<Attempt>> attempted(const Candidate &candidate);
  Result<bool> tryAll(const std::vector<Candidate> &candidates);
  Result<bool> tryWhatIsThere();
  Result<void> search();
  Result<void> searchBeside();
  Result<void> searchInTurn(Result<bool> more);
  Result<void> take(const Proposal &proposal);
  Result<void> confirmBest();
  Result<bool> confirmOne(const StandIn &standIn, int n);
  Result<Evaluation> confirmed(const Candidate &candidate, int n);
  Result<void> duel(const Candidate &candidate, Evaluation &evaluation);
  /// Without measurements: the first that passed and that no gate of the write-back has rejected since.
  const Candidate *passed() const;
  std::string freshId() const {
    return request_.firstIsFresh && !request_.existing.empty() ? request_.existing.front().id : "";
  }
  bool isCancelled() const { return request_.cancelled && *request_.cancelled; }
  /// `isFree`: time does not count.
  bool withinBudget(bool isFree);
  bool isOpeningTried() const;
  bool isFree(const Candidate &candidate) const;
  /// Seconds of the whole run, for the journal.
  double secondsUsed() const { return request_.secondsBefore + (request_.clock() - request_.startSeconds); }
  double searched() const { return request_.clock() - searchStart_; }
  double secondsLeft() const { return std::max(0.0, request_.searchSeconds - searched()); }
  void agentStops(const std::string &why) {
    outcome_.reason = why.empty() ? StopReason::Exhausted : StopReason::Agent;
    outcome_.agentStop = why;
  }
  Result<void> endsIfInterrupted(const Error &error) {
    if (error.kind != ErrorKind::Interrupted)
      return std::unexpected(error);
    outcome_.reason = StopReason::Interrupted;
    return {};
  }
  const Candidate *incumbent() const;
  /// As measured by the run's first process, because the journal has that value.
  double baselineNs() const {
    const double described = journal_.record().description.baselineNs;
    return described > 0 ? described : evaluator_.calibration().baselineNs;
  }
  RunState state() const;
  std::string startText() const;

  Evaluator &evaluator_;
  Agent &agent_;
  Journal &journal_;
  const RunRequest &request_;
  const RunListener &listener_;
  double searchedBefore_, searchStart_;
  std::set<std::string> seen_;
  RunOutcome outcome_;
};

bool RunLoop::isOpeningTried() const {
  return std::ranges::any_of(journal_.record().attempts, [](const Attempt &attempt) { return !attempt.agent.empty(); });
}

/// The very first may be the checked-in variant that leads; the agent's first is its best opening. A run that tries
/// neither shows nothing about the kernel.
bool RunLoop::isFree(const Candidate &candidate) const {
  const RunRecord &record = journal_.record();
  return record.attempts.empty() || (!isOpeningTried() && record.proposers.contains(candidate.id));
}

bool RunLoop::withinBudget(bool isFree) {
  if (isCancelled())
    outcome_.reason = StopReason::Interrupted;
  else if (request_.config.maxIterations > 0 && outcome_.iterations >= request_.config.maxIterations)
    outcome_.reason = StopReason::Iterations;
  else if (!isFree && secondsLeft() <= 0)
    outcome_.reason = StopReason::Time;
  else
    return true;
  return false;
}

const Candidate *RunLoop::incumbent() const {
  const Attempt *attempt = incumbentOf(journal_.record());
  return attempt ? &attempt->candidate : nullptr;
}

std::string RunLoop::startText() const {
  for (const Attempt &attempt : journal_.record().attempts)
    if (attempt.candidate.id == request_.config.startFrom)
      return attempt.candidate.text;
  return {};
}

RunState RunLoop::state() const {
  const RunRecord &record = journal_.record();
  RunState state = stateAtTheStart(evaluator_);
  state.seed = request_.config.seed;
  state.attempts = record.attempts;
  state.incumbent = record.incumbent;
  state.bestRatio = bestRatioOf(record);
  state.startRecipes = request_.config.startRecipes;
  state.startText = startText();
  state.secondsUsed = searchedBefore_ + searched();
  state.secondsLeft = secondsLeft();
  state.iterations = outcome_.iterations;
  if (request_.config.maxIterations > 0)
    state.iterationsLeft = std::max(0, request_.config.maxIterations - outcome_.iterations);
  state.calls = record.calls;
  state.standings = record.standings;
  state.lastAgent = record.lastAgent;
  state.asked = record.asked;
  state.judged = record.judged;
  state.summaries = record.summaries;
  return state;
}

/// nullopt: interrupted or out of time, as outcome_.reason says; the candidate stays pending for --resume.
Result<std::optional<Attempt>> RunLoop::attempted(const Candidate &candidate) {
  bool isFirst = true;
  const bool isWithoutLimit = isFree(candidate);
  TuningRequest tuning{
      .candidate = candidate, .language = evaluator_.spec().language, .bestRatio = bestRatioOf(journal_.record())};
  tuning.evaluate = [&](const Candidate &settled) -> Result<std::optional<Evaluation>> {
    const bool isBounded = !std::exchange(isFirst, false) || !isWithoutLimit;
    if (isBounded && secondsLeft() <= 0)
      return std::nullopt; // the settings tried so far decide
    auto evaluation = evaluator_.evaluate(settled, incumbent(), isBounded ? secondsLeft() : 0);
    if (isCancelled())
      return std::nullopt;
    const bool isWithdrawn = request_.withdrawal && *request_.withdrawal->flag();
    if (!evaluation && evaluation.error().kind == ErrorKind::Interrupted && (isBounded || isWithdrawn))
      return std::nullopt; // the time was up, which is no verdict
    if (isWithdrawn)
      return std::nullopt;
    if (!evaluation)
      return std::unexpected(evaluation.error());
    return std::move(*evaluation);
  };
  tuning.record = [&](const TriedSetting &tried) {
    isFirst = false;
    return journal_.triedSetting(candidate.id, tried, secondsUsed());
  };
  if (const auto before = journal_.record().tried.find(candidate.id); before != journal_.record().tried.end())
    tuning.tried = before->second;
  auto attempt = tune(tuning);
  if (attempt && isCancelled())
    attempt->reset();
  if (attempt && !*attempt)
    outcome_.reason = isCancelled() ? StopReason::Interrupted : StopReason::Time;
  return attempt;
}

Result<bool> RunLoop::step(const Candidate &candidate) {
  if (!seen_.insert(candidate.id).second)
    return true; // proposed twice: the first verdict counts
  if (!withinBudget(isFree(candidate)))
    return false;
  if (request_.withdrawal)
    request_.withdrawal->begins(candidate.id); // before anybody hears that it is in work, and takes it back
  tell(run_event::Started{outcome_.iterations + 1, candidate});
  auto tried = attempted(candidate);
  if (request_.withdrawal && request_.withdrawal->ends() && !isCancelled() && tried) {
    seen_.erase(candidate.id);
    TRY(journal_.withdrawn(candidate.id, secondsUsed()));
    tell(run_event::Withdrawn{candidate});
    return true;
  }
  auto attempt = TRY(std::move(tried));
  if (!attempt) {
    if (outcome_.reason == StopReason::Time)
      tell(run_event::OutOfTime{candidate});
    return false;
  }
  const Evaluation &evaluation = attempt->evaluation;
  const bool better =
      evaluation.verdict == Verdict::Accepted &&
      (!incumbent() || (evaluation.againstIncumbent && evaluation.againstIncumbent->comparison == Comparison::Faster));
  TRY(journal_.evaluated(attempt->candidate, evaluation, better, secondsUsed()));
  ++outcome_.iterations;
  tell(run_event::Evaluated{outcome_.iterations, journal_.record().attempts.back(), better,
                            bestRatioOf(journal_.record())});
  return evaluator_.isTimed() || !passed();
}

/// False: the search is over, and outcome_.reason says why.
Result<bool> RunLoop::tryAll(const std::vector<Candidate> &candidates) {
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    evaluator_.ahead({candidates.begin() + static_cast<std::ptrdiff_t>(i) + 1, candidates.end()}, incumbent());
    if (auto more = step(candidates[i]); !more || !*more)
      return more;
  }
  return true;
}

/// Tries the proposals of an interrupted run and the checked-in variants before it asks for new ones. If there is too
/// little time for all of them, the agent's opening is still tried.
Result<bool> RunLoop::tryWhatIsThere() {
  const std::vector<Candidate> pending = journal_.record().pending;
  for (const std::vector<Candidate> *first : {&pending, &request_.existing})
    if (auto more = tryAll(*first); !more || !*more)
      return more && outcome_.reason == StopReason::Time && !isOpeningTried() ? true : more;
  return true;
}

Result<void> RunLoop::search() {
  if (!evaluator_.isTimed() && passed())
    return {};
  TRY(journal_.searching(secondsUsed()));
  auto more = tryWhatIsThere();
  auto searched = more && *more && request_.config.model.parallel > 1 ? searchBeside() : searchInTurn(std::move(more));
  evaluator_.endAhead();
  return searched;
}

Result<void> RunLoop::searchInTurn(Result<bool> more) {
  for (bool isFirst = true; more && *more && withinBudget(isFirst && !isOpeningTried()); isFirst = false) {
    tell(run_event::Asking{outcome_.iterations + 1});
    auto proposal = agent_.propose(state());
    if (!proposal)
      return endsIfInterrupted(proposal.error());
    TRY(take(*proposal));
    if (proposal->isStop()) {
      agentStops(proposal->stop);
      return {};
    }
    more = tryAll(proposal->candidates);
  }
  return more ? Result<void>() : std::unexpected(more.error());
}

Result<void> RunLoop::take(const Proposal &proposal) {
  if (!proposal.note.empty())
    outcome_.agentNote = proposal.note;
  if (proposal.isStop())
    return {};
  TRY(journal_.proposed(proposal, secondsUsed()));
  if (proposal.isUnusable) {
    ++outcome_.iterations;
    tell(run_event::Unusable{outcome_.iterations, proposal.note});
  }
  return {};
}

/// The search with several calls in flight.
Result<void> RunLoop::searchBeside() {
  const auto stop =
      searchAhead(agent_, request_.config.model.parallel,
                  {.state = [this] { return state(); },
                   .mayGoOn = [this](bool isOpening) { return withinBudget(isOpening && !isOpeningTried()); },
                   .proposed = [this](const Proposal &proposal) { return take(proposal); },
                   .expects = [this](const std::vector<Candidate> &next) { evaluator_.ahead(next, incumbent()); },
                   .tries = [this](const Candidate &candidate) { return step(candidate); },
                   .waits = [this] { tell(run_event::Asking{outcome_.iterations + 1}); }});
  if (stop && *stop)
    agentStops(**stop);
  return stop ? Result<void>() : endsIfInterrupted(stop.error());
}

/// Only a second, fresh comparison may replace the checked-in variant.
Result<void> RunLoop::duel(const Candidate &candidate, Evaluation &evaluation) {
  auto duel = TRY(evaluator_.duel(candidate, request_.existing.front()));
  evaluation.times.insert(evaluation.times.end(), duel.times.begin(), duel.times.end());
  evaluation.seconds += duel.seconds;
  evaluation.againstIncumbent = duel.againstIncumbent;
  if (duel.againstIncumbent && duel.againstIncumbent->comparison == Comparison::Faster)
    return {};
  evaluation.verdict = Verdict::NotFaster;
  evaluation.stage = Stage::Confirm;
  evaluation.detail = "the checked-in variant stays: this one was not faster than it in a second comparison" +
                      (duel.detail.empty() ? "" : "; " + duel.detail);
  return {};
}

Result<Evaluation> RunLoop::confirmed(const Candidate &candidate, int n) {
  auto evaluation = evaluator_.confirm(candidate, n);
  if (isCancelled())
    return interruptedError();
  if (!evaluation || evaluation->verdict != Verdict::Accepted || freshId().empty() || candidate.id == freshId())
    return evaluation;
  auto compared = duel(candidate, *evaluation);
  if (isCancelled())
    return interruptedError();
  if (!compared)
    return std::unexpected(compared.error());
  return evaluation;
}

/// Returns whether it is the best.
Result<bool> RunLoop::confirmOne(const StandIn &standIn, int n) {
  const Candidate &candidate = standIn.candidate;
  TRY(journal_.confirming(candidate, secondsUsed()));
  tell(run_event::Confirming{candidate});
  auto evaluation = TRY(confirmed(candidate, n));
  TRY(journal_.confirmed(candidate, evaluation, secondsUsed()));
  tell(run_event::Confirmed{evaluation});
  if (evaluation.verdict != Verdict::Accepted)
    return false;
  outcome_.best = candidate;
  outcome_.confirmed = evaluation.measurement;
  outcome_.review = evaluation.review;
  outcome_.shortening = standIn.shortening;
  outcome_.reviewed = standIn.review;
  outcome_.bestIsExisting = candidate.id == freshId();
  return true;
}

/// What is refused leaves the text that it was made of the next to be tried, unless their code is the same (refusalOf).
Result<void> RunLoop::confirmBest() {
  for (int n = static_cast<int>(journal_.record().refused.size()) + 1; n <= kMaxConfirmations; ++n) {
    const std::optional<Candidate> winner = likeliestWinner(journal_.record(), freshId());
    if (!winner)
      break;
    StandIn standIn{.candidate = *winner};
    if (winner->id != freshId()) // the checked-in variant stays as it is
      standIn =
          TRY(standInFor(*winner, {evaluator_, agent_, journal_, request_.shortening, [this] { return state(); },
                                   [this] { return isCancelled(); }, [this] { return secondsUsed(); }, listener_}));
    const bool isBest = TRY(confirmOne(standIn, n));
    if (isBest)
      break;
  }
  return {};
}

const Candidate *RunLoop::passed() const {
  for (const Attempt &attempt : journal_.record().attempts)
    if (attempt.evaluation.verdict == Verdict::Accepted && !journal_.record().refused.contains(attempt.candidate.id))
      return &attempt.candidate;
  return nullptr;
}

Result<RunOutcome> RunLoop::run() {
  for (const Attempt &attempt : journal_.record().attempts) {
    seen_.insert(attempt.evaluation.tuning.empty() ? attempt.candidate.id : attempt.candidate.parent);
    evaluator_.recall(attempt.evaluation);
  }
  outcome_.iterations = static_cast<int>(journal_.record().iterations.size());
  outcome_.baselineNs = baselineNs();
  if (!journal_.record().confirming.empty())
    outcome_.reason = StopReason::EndedBefore;
  else if (auto done = search(); !done)
    return std::unexpected(done.error());
  // From here on nothing is proposed any more.
  if (outcome_.reason == StopReason::Interrupted)
    return outcome_;
  TRY(evaluator_.recheckInputs());
  if (!evaluator_.isTimed()) {
    if (const Candidate *first = passed()) {
      outcome_.reason = StopReason::Passed;
      outcome_.best = *first;
      outcome_.bestIsExisting = first->id == freshId();
    }
    return outcome_;
  }
  if (auto done = confirmBest(); !done)
    TRY(endsIfInterrupted(done.error()));
  return outcome_;
}

} // namespace

Result<RunOutcome> runLoop(Evaluator &evaluator, Agent &agent, Journal &journal, const RunRequest &request,
                           const RunListener &listener) {
  auto outcome = RunLoop(evaluator, agent, journal, request, listener).run();
  if (outcome)
    outcome->rejected = rejectedBy(journal.record());
  return outcome;
}

} // namespace agentic
