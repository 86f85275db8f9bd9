// Judges candidates before their turn, as far as nothing is measured: beside the measurement of another one, on the
// CPUs that it leaves. Each thread has an evaluator of its own, so that they share nothing but files.
#include "tool/base/clock.h"
#include "tool/base/cpus.h"
#include "tool/evaluate/candidate/isolated_check.h"
#include "tool/evaluate/pipeline/ahead_of_turn.h"
#include "tool/evaluate/pipeline/staged_evaluator.h"

#include <algorithm>
#include <mutex>

namespace agentic {

namespace {

/// Returns whether a refusal does not hang on what else the machine did.
bool isOfTheText(const Evaluation &evaluation) {
  return evaluation.stage == Stage::Audit ||
         (evaluation.stage == Stage::Check &&
          std::ranges::count(evaluation.findings, kCompileLimits, &Finding::check) == 0);
}

} // namespace

struct StagedEvaluator::Workers {
  std::vector<std::unique_ptr<StagedEvaluator>> evaluators; ///< their folders hold what they built
  std::vector<double> rested;                               ///< seconds of each, in the candidate that it works on
  std::mutex mutex;                                         ///< of `incumbent`
  std::optional<Candidate> incumbent;                       ///< that candidates are measured against
  std::optional<Candidate> currentIncumbent() {
    const std::lock_guard lock(mutex);
    return incumbent;
  }
  std::unique_ptr<AheadOfTurn<Early>> queue; ///< nullptr: ended. The first to be destroyed: it ends what they do
};

StagedEvaluator::StagedEvaluator(const EvaluatorOptions &options, Prepared prepared, ScratchDirectory scratch,
                                 std::shared_ptr<MeasuringHosts> hosts, std::size_t host)
    : options_(options), prepared_(std::move(prepared)), scratch_(std::move(scratch)), hosts_(std::move(hosts)),
      host_(host) {}
StagedEvaluator::~StagedEvaluator() = default;

Result<void> StagedEvaluator::startWorkers() {
  workers_ = std::make_unique<Workers>();
  std::vector<int> cpus = usableCpus();
  // Programs that start others or threads could meet each other, and want all CPUs.
  if ((!hosts_ && cpus.size() < 2) || !prepared_.programs.confines() || prepared_.facts.tasks != Tasks::None)
    return {};
  if (!hosts_)
    cpus.pop_back(); // it measures
  const std::size_t count = hosts_ ? hosts_->size() : std::min(options_.workers, cpus.size());
  Workers &workers = *workers_;
  workers.rested.resize(count);
  auto queue = std::make_unique<AheadOfTurn<Early>>(
      count,
      [cpus, &workers, hosts = hosts_ != nullptr](std::size_t worker,
                                                  const Candidate &candidate) -> std::optional<Early> {
        confineThread(cpus); // if that fails, the pairs of the measurement show the noise
        workers.rested[worker] = 0;
        Result<Early> early = workers.evaluators[worker]->unmeasured(candidate);
        if (!early || (early->isJudged && !isOfTheText(early->run.evaluation)))
          return std::nullopt;
        if (hosts && !early->isJudged) {
          const std::optional<Candidate> incumbent = workers.currentIncumbent();
          const double start = steadySeconds();
          auto measured =
              workers.evaluators[worker]->measuredAgainst(incumbent ? &*incumbent : nullptr, early->run, *early->built);
          early->seconds += steadySeconds() - start;
          if (measured)
            early->measured = std::move(*measured);
        }
        early->seconds -= workers.rested[worker];
        return std::move(*early);
      });
  EvaluatorOptions options = options_;
  options.workers = 0;
  options.progress = options.warning = nullptr;
  options.cancelled = queue->stopped();
  for (std::size_t i = 0; i < count; ++i) {
    options.stage = [&queue = *queue, &rested = workers.rested[i]](Stage) { rested += queue.rest(); };
    ScratchDirectory scratch = TRY(ScratchDirectory::create(scratch_.path(), "ahead-"));
    workers.evaluators.push_back(std::make_unique<StagedEvaluator>(options, prepared_, std::move(scratch), hosts_, i));
  }
  workers.queue = std::move(queue);
  return {};
}

/// It saves time alone: what is in its way is one warning.
void StagedEvaluator::ahead(const std::vector<Candidate> &candidates, const Candidate *incumbent) {
  if ((options_.workers == 0 && !hosts_) || !prepared_.isTimed)
    return;
  if (!workers_ && !candidates.empty())
    if (Result<void> started = startWorkers(); !started && options_.warning)
      options_.warning("candidates are not judged ahead of their turn: " + started.error().message);
  if (!workers_ || !workers_->queue)
    return;
  {
    const std::lock_guard lock(workers_->mutex);
    workers_->incumbent = incumbent ? std::optional(*incumbent) : std::nullopt;
  }
  workers_->queue->expect(candidates);
}

void StagedEvaluator::endAhead() {
  if (workers_)
    workers_->queue.reset();
}

Result<StagedEvaluator::Early> StagedEvaluator::unmeasured(const Candidate &candidate) {
  Early early{.run = begin(candidate)};
  early.built = TRY(build(early.run, candidate));
  early.isJudged = !early.built || sameCode(early.run, early.built->objectHash);
  if (!early.isJudged) {
    Result<bool> passed = testsPass(early.run, *early.built);
    if (passed && *passed)
      passed = agrees(early.run, *early.built, prepared_.expectation);
    early.isJudged = !TRY(std::move(passed));
  }
  early.seconds = steadySeconds() - early.run.start;
  return early;
}

/// What a worker found counts as if it was found now.
Result<StagedEvaluator::Early> StagedEvaluator::judgedEarly(const Candidate &candidate) {
  std::optional<Early> before;
  if (workers_ && workers_->queue)
    before = workers_->queue->take(candidate.id, options_.cancelled);
  if (!before)
    return unmeasured(candidate);
  before->run.start = steadySeconds() - before->seconds;
  if (before->built)
    built_[candidate.id] = *before->built;
  return std::move(*before);
}

StagedEvaluator::Quiet::Quiet(const StagedEvaluator &evaluator, bool isWanted)
    : queue_(isWanted && evaluator.workers_ ? evaluator.workers_->queue.get() : nullptr) {
  if (queue_)
    queue_->pause(evaluator.options_.cancelled);
}
StagedEvaluator::Quiet::~Quiet() {
  if (queue_)
    queue_->resume();
}

} // namespace agentic
