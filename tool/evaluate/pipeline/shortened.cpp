// Judges shorter texts of a winner, before it is confirmed.
#include "tool/evaluate/pipeline/staged_evaluator.h"

#include "tool/base/clock.h"
#include "tool/base/time_limit.h"

namespace agentic {

Result<Evaluation> StagedEvaluator::shortened(const Candidate &candidate, const ShorterRequest &request) {
  if (request.seconds <= 0)
    return judgeShorter(candidate, request);
  const std::atomic<bool> *const outer = options_.cancelled;
  const TimeLimit limit(steadySeconds() + request.seconds, outer);
  options_.cancelled = limit.flag();
  Result<Evaluation> evaluation = judgeShorter(candidate, request);
  options_.cancelled = outer;
  return evaluation;
}

/// The rest of what a candidate passes is confirm()'s, which comes after the last step.
Result<Evaluation> StagedEvaluator::judgeShorter(const Candidate &candidate, const ShorterRequest &request) {
  Run run = begin(candidate);
  std::optional<BuiltCandidate> built = TRY(build(run, candidate));
  if (!built)
    return run.evaluation;
  if (request.sameCode.empty() || request.sameCode.contains(built->objectHash)) {
    run.evaluation.sameCodeAs = request.winner->id;
    std::string problem = TRY(genericProblem(*built));
    return problem.empty() ? finish(run, Verdict::Accepted, Stage::Audit)
                           : finish(run, Verdict::Rejected, Stage::Compile, std::move(problem));
  }
  if (!request.measures)
    return finish(run, Verdict::NotFaster, Stage::Audit, "the compiler makes other code of it");
  Result<bool> passed = testsPass(run, *built);
  if (passed && *passed)
    passed = agrees(run, *built, prepared_.expectation);
  if (passed && *passed)
    passed = survivesQuickCalls(run, *built);
  if (!passed)
    return std::unexpected(passed.error());
  if (!*passed)
    return run.evaluation;
  enter(Stage::Benchmark);
  const BuiltCandidate winner = TRY(buildAgain(*request.winner));
  BenchmarkOutcome outcome = TRY(benchmark(run, winner.sharedObject, built->sharedObject, notSlowerRule(rule())));
  if (!outcome.measurement)
    return undecided(run, Stage::Benchmark, outcome);
  run.evaluation.againstIncumbent = std::move(outcome.measurement);
  const bool keepsUp = run.evaluation.againstIncumbent->comparison == Comparison::Faster;
  return finish(run, keepsUp ? Verdict::Accepted : Verdict::NotFaster, Stage::Benchmark,
                keepsUp ? "" : "it may be slower than what it was");
}

} // namespace agentic
