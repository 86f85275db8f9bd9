// Judges shorter texts of a winner, before it is confirmed.
#include "tool/evaluate/candidate/tidy.h"
#include "tool/evaluate/pipeline/staged_evaluator.h"

namespace agentic {

Result<Evaluation> StagedEvaluator::shortened(const Candidate &candidate, const ShorterRequest &request) {
  return within(request.seconds, [&] { return judgeShorter(candidate, request); });
}

/// The rest of what a candidate passes is confirm()'s, which comes after the last step.
Result<Evaluation> StagedEvaluator::judgeShorter(const Candidate &candidate, const ShorterRequest &request) {
  Run run = begin(candidate);
  // The winner, and what is measured after it was refused for its other code alone, are built already.
  std::optional<BuiltCandidate> built;
  if (built_.contains(candidate.id))
    built = TRY(buildAgain(candidate));
  else
    built = TRY(build(run, candidate));
  if (!built)
    return run.evaluation;
  run.evaluation.objectHash = built->objectHash;
  if (request.notes)
    run.evaluation.review = TRY(tidyNotes(prepared_.buildContext(options_), *built));
  if (request.sameCode.empty() || request.sameCode.contains(built->objectHash)) {
    run.evaluation.sameCodeAs = request.winner->id;
    std::string problem = TRY(genericProblem(*built));
    return problem.empty() ? finish(run, Verdict::Accepted, Stage::Audit)
                           : finish(run, Verdict::Rejected, Stage::Compile, std::move(problem));
  }
  if (!request.measures)
    return finish(run, Verdict::NotFaster, Stage::Audit, "the compiler makes other code of it");
  if (!TRY(testsPass(run, *built)) || !TRY(agrees(run, *built, prepared_.expectation)) ||
      !TRY(survivesQuickCalls(run, *built)))
    return run.evaluation;
  enter(Stage::Benchmark);
  const BuiltCandidate winner = TRY(buildAgain(*request.winner));
  BenchmarkOutcome outcome = TRY(benchmark(run, sideOf(winner), sideOf(*built), notSlowerRule(rule())));
  return finishAgainst(run, std::move(outcome), "it may be slower than what it was");
}

} // namespace agentic
