// Where and how a candidate is measured.
#include "tool/evaluate/pipeline/staged_evaluator.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace agentic {

/// On the host that this evaluator prefers; if that is lost, on another.
template <class Value>
Result<Value> StagedEvaluator::onAHost(const std::function<Result<Value>(std::size_t host)> &work) const {
  Result<Value> done = std::unexpected(Error());
  for (std::optional<std::size_t> host = hosts_->isLost(host_) ? hosts_->first() : host_; host;
       host = hosts_->first()) {
    done = work(*host);
    if (options_.warning) { // nobody else prints at the same time
      std::vector<std::string> warnings = hosts_->takeWarnings();
      if (prepared_.programHosts)
        std::ranges::move(prepared_.programHosts->takeWarnings(), std::back_inserter(warnings));
      for (const std::string &warning : warnings)
        options_.warning(warning);
    }
    if (done || !hosts_->isLost(*host) || done.error().kind != ErrorKind::User)
      return done;
  }
  return userError("all hosts of the farm are lost", "go on with --resume once they are back");
}

Result<BenchmarkOutcome> StagedEvaluator::measured(const RunContext &context, const BenchmarkRequest &request) const {
  if (!hosts_)
    return measure(context, request, prepared_.facts.benchmarks);
  return onAHost<BenchmarkOutcome>([&](std::size_t host) { return hosts_->measure(host, context, request); });
}

/// Against the incumbent first: most candidates are not faster, and need no measurement against the baseline.
Result<StagedEvaluator::Measured> StagedEvaluator::measuredAgainst(const Candidate *incumbent, Run &run,
                                                                   const BuiltCandidate &built) {
  enter(Stage::Benchmark);
  Measured measured;
  if (incumbent && incumbent->id != run.evaluation.candidate) {
    const BuiltCandidate best = TRY(buildAgain(*incumbent));
    measured.incumbent = incumbent->id;
    measured.duel = TRY(benchmark(run, sideOf(best), sideOf(built), searchRule()));
    if (!measured.duel->measurement || measured.duel->measurement->comparison != Comparison::Faster)
      return measured;
  }
  measured.claim = TRY(benchmark(run, baseline(), sideOf(built), rule()));
  return measured;
}

Result<Evaluation> StagedEvaluator::duel(const Candidate &candidate, const Candidate &rival) {
  Run run = begin(candidate);
  const BuiltCandidate own = TRY(buildAgain(candidate)), other = TRY(buildAgain(rival));
  enter(Stage::Benchmark);
  // Sides without the hashes of their code: what the search measured of them is no answer.
  BenchmarkOutcome outcome = TRY(benchmark(run, {other.sharedObject, {}}, {own.sharedObject, {}}, searchRule()));
  return finishAgainst(run, std::move(outcome));
}

Result<Roofline> StagedEvaluator::machine(bool again) const {
  if (hosts_)
    return onAHost<Roofline>([&](std::size_t host) { return hosts_->roofline(host, context(), again); });
  return again ? betterRoofline(options_.rooflineFile, options_.cancelled)
               : measuredRoofline(options_.rooflineFile, options_.cancelled);
}

} // namespace agentic
