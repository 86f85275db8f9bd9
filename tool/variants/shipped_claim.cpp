#include "tool/variants/shipped_claim.h"

#include "tool/evaluate/benchmark/claim.h"
#include "tool/evaluate/benchmark/claim_interval.h"

#include <fmt/format.h>

namespace agentic {
namespace {

std::unexpected<Error> refused(const std::string &problem) {
  return std::unexpected(
      Error{ErrorKind::NoImprovement, problem, "nothing was written; run it again on a quieter machine"});
}

} // namespace

Result<Measurement> shippedClaim(ShippedBuild &build, const Evaluator &evaluator) {
  BenchmarkOutcome outcome = TRY(build.measure(std::string(evaluator.level().name)));
  if (!outcome.measurement)
    return refused("the binary as it ships could not be measured: " + outcome.rejection + outcome.undecided);
  Measurement &measurement = *outcome.measurement;
  if (measurement.comparison != Comparison::Faster)
    return refused("the binary as it ships is not faster than the original build: " + measurement.reason);
  if (const std::string problem = belowLimit(evaluator.spec().policy.limits, measurement.speedup); !problem.empty())
    return refused("the binary as it ships is " + problem);
  return std::move(measurement);
}

Result<LaterClaim> joinLater(Measurement first, Result<BenchmarkOutcome> later, const PolicyLimits &limits) {
  if (!later && later.error().kind == ErrorKind::User)
    return LaterClaim{std::move(first), "measured in one session only: " + later.error().message};
  const BenchmarkOutcome second = TRY(std::move(later));
  if (!second.measurement)
    return refused("the binary as it ships was faster, and some minutes later it was not: " + second.rejection +
                   second.undecided);
  const double ratio = second.measurement->speedup.ratio;
  if (ratio <= 1)
    return refused(
        fmt::format("the binary as it ships was {:.2f} times as fast as the original build, and some minutes "
                    "later {:.2f} times",
                    first.speedup.ratio, ratio));
  LaterClaim both{joinSessions(std::move(first), *second.measurement, DecisionRule().confidence), {}};
  if (const std::string problem = belowLimit(limits, both.claim.speedup); !problem.empty())
    return refused("measured twice, the binary as it ships is " + problem);
  return both;
}

Result<LaterClaim> claimWithLaterSession(ShippedBuild &build, const Evaluator &evaluator, Measurement first) {
  return joinLater(std::move(first), build.measure(std::string(evaluator.level().name)),
                   evaluator.spec().policy.limits);
}

} // namespace agentic
