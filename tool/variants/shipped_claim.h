// How much faster than the original build the binary is as it ships: the ratio that is written into the variant.
#pragma once

#include "tool/variants/shipped_build.h"

#include <string>

namespace agentic {

/// At the evaluator's level. An error of kind NoImprovement unless it is faster, and by what the project asks for.
Result<Measurement> shippedClaim(ShippedBuild &build, const Evaluator &evaluator);

/// A claim after a second session, some minutes later.
struct LaterClaim {
  Measurement claim;  ///< the pairs of both sessions; the first session alone if the machine did not allow a second
  std::string remark; ///< why the claim is the first session alone; empty if it is both
};

/// Joins `first` and a second session. An error of kind NoImprovement if the second session contradicts the first: the
/// binary died or hung, it is no faster, or both sessions together are below `limits`. A second session that the user's
/// machine did not allow (ErrorKind::User) leaves the first one as it is; other errors are passed on. Pure.
Result<LaterClaim> joinLater(Measurement first, Result<BenchmarkOutcome> later, const PolicyLimits &limits);

/// Measures the second session.
Result<LaterClaim> claimWithLaterSession(ShippedBuild &build, const Evaluator &evaluator, Measurement first);

} // namespace agentic
