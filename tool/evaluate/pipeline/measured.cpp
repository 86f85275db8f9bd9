// Where and how a candidate is measured.
#include "tool/evaluate/pipeline/staged_evaluator.h"

#include <utility>

namespace agentic {

Result<BenchmarkOutcome> StagedEvaluator::measured(const RunContext &context, const BenchmarkRequest &request) const {
  if (!hosts_)
    return measure(context, request, prepared_.facts.benchmarks);
  std::size_t host = host_;
  for (;;) {
    Result<BenchmarkOutcome> outcome = hosts_->measure(host, context, request);
    if (outcome || !hosts_->isLost(host) || outcome.error().kind != ErrorKind::User)
      return outcome;
    const std::optional<std::size_t> other = hosts_->first();
    if (!other)
      return userError("all hosts of the farm are lost", "go on with --resume once they are back");
    host = *other;
  }
}

/// Against the incumbent first: most candidates are not faster, and need no measurement against the baseline.
Result<StagedEvaluator::Measured> StagedEvaluator::measuredAgainst(const Candidate *incumbent, Run &run,
                                                                   const BuiltCandidate &built) {
  enter(Stage::Benchmark);
  Measured measured;
  if (incumbent && incumbent->id != run.evaluation.candidate) {
    const BuiltCandidate best = TRY(buildAgain(*incumbent));
    measured.incumbent = incumbent->id;
    measured.duel = TRY(benchmark(run, best.sharedObject, built.sharedObject, searchRule()));
    if (!measured.duel->measurement || measured.duel->measurement->comparison != Comparison::Faster)
      return measured;
  }
  measured.claim = TRY(benchmark(run, prepared_.baselineLibrary, built.sharedObject, rule()));
  return measured;
}

Result<Roofline> StagedEvaluator::machine(bool again) const {
  if (hosts_)
    return hosts_->roofline(hosts_->first().value_or(host_), context(), again);
  return again ? betterRoofline(options_.rooflineFile, options_.cancelled)
               : measuredRoofline(options_.rooflineFile, options_.cancelled);
}

} // namespace agentic
