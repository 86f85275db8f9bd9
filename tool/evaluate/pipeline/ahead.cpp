// Judges candidates before their turn, as far as nothing is measured: beside the measurement of another one, on the
// CPUs that it leaves. Each thread has an evaluator of its own, so that they share nothing but files.
#include "tool/base/clock.h"
#include "tool/base/cpus.h"
#include "tool/evaluate/pipeline/ahead_of_turn.h"
#include "tool/evaluate/pipeline/staged_evaluator.h"

#include <algorithm>

namespace agentic {

struct StagedEvaluator::Workers {
  std::vector<std::unique_ptr<StagedEvaluator>> evaluators; ///< their folders hold what they built
  std::unique_ptr<AheadOfTurn<Early>> queue; ///< nullptr: ended. The first to be destroyed: it ends what they do
};

StagedEvaluator::StagedEvaluator(const EvaluatorOptions &options, Prepared prepared, ScratchDirectory scratch)
    : options_(options), prepared_(std::move(prepared)), scratch_(std::move(scratch)) {}
StagedEvaluator::~StagedEvaluator() = default;

Result<void> StagedEvaluator::startWorkers() {
  std::vector<int> cpus = usableCpus();
  if (cpus.size() < 2)
    return {}; // nothing is beside the measurement there
  cpus.pop_back();
  auto workers = std::make_unique<Workers>();
  workers->queue = std::make_unique<AheadOfTurn<Early>>(
      std::min(options_.workers, cpus.size()),
      [cpus, &evaluators = workers->evaluators](std::size_t worker, const Candidate &candidate) {
        confineThread(cpus); // if that fails, the pairs of the measurement show the noise
        Result<Early> early = evaluators[worker]->unmeasured(candidate);
        return early ? std::optional(std::move(*early)) : std::nullopt;
      });
  EvaluatorOptions options = options_;
  options.workers = 0;
  options.progress = options.warning = nullptr;
  options.cancelled = workers->queue->stopped();
  options.stage = [queue = workers->queue.get()](Stage) { queue->rest(); };
  for (std::size_t i = 0; i < std::min(options_.workers, cpus.size()); ++i) {
    ScratchDirectory scratch = TRY(ScratchDirectory::create(scratch_.path(), "ahead-"));
    workers->evaluators.push_back(std::make_unique<StagedEvaluator>(options, prepared_, std::move(scratch)));
  }
  workers_ = std::move(workers);
  return {};
}

Result<void> StagedEvaluator::ahead(const std::vector<Candidate> &candidates) {
  if (options_.workers == 0 || !prepared_.isTimed || (!workers_ && candidates.empty()))
    return {};
  if (!workers_)
    TRY(startWorkers());
  if (workers_ && workers_->queue)
    workers_->queue->expect(candidates);
  return {};
}

void StagedEvaluator::stopWorkers() {
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

StagedEvaluator::Quiet::Quiet(const StagedEvaluator &evaluator)
    : queue_(evaluator.workers_ && evaluator.options_.measuresAlone ? evaluator.workers_->queue.get() : nullptr) {
  if (queue_)
    queue_->pause(evaluator.options_.cancelled);
}
StagedEvaluator::Quiet::~Quiet() {
  if (queue_)
    queue_->resume();
}

} // namespace agentic
