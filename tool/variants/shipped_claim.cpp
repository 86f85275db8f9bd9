#include "tool/variants/shipped_claim.h"

#include "tool/evaluate/benchmark/claim.h"
#include "tool/evaluate/benchmark/claim_interval.h"

namespace agentic {
namespace {

std::unexpected<Error> refused(const std::string &problem) {
  return std::unexpected(
      Error{ErrorKind::NoImprovement, problem, "nothing was written; run it again on a quieter machine"});
}

Result<Measurement> shippedPairs(ShippedBuild &build, const Evaluator &evaluator) {
  BenchmarkOutcome outcome = TRY(build.measure(std::string(evaluator.level().name)));
  if (!outcome.measurement)
    return refused("the binary as it ships could not be measured: " + outcome.rejection + outcome.undecided);
  return std::move(*outcome.measurement);
}

} // namespace

Result<Measurement> shippedClaim(ShippedBuild &build, const Evaluator &evaluator) {
  auto measurement = TRY(shippedPairs(build, evaluator));
  if (measurement.comparison != Comparison::Faster)
    return refused("the binary as it ships is not faster than the original build: " + measurement.reason);
  if (const std::string problem = belowLimit(evaluator.spec().policy.limits, measurement.speedup); !problem.empty())
    return refused("the binary as it ships is " + problem);
  return measurement;
}

Result<Measurement> claimWithLaterSession(ShippedBuild &build, const Evaluator &evaluator, Measurement first) {
  auto later = TRY(shippedPairs(build, evaluator));
  return joinSessions(std::move(first), later, DecisionRule().confidence);
}

} // namespace agentic
