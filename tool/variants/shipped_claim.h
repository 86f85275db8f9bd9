// Measures how much faster than the original build the binary is as it ships: the ratio written into the variant.
#pragma once

#include "tool/variants/shipped_build.h"

namespace agentic {

/// Measures at the evaluator's level. An error of kind NoImprovement unless it is faster by what the project asks for.
Result<Measurement> shippedClaim(ShippedBuild &build, const Evaluator &evaluator);

/// Joins `first` with a measurement made some minutes later. Its verdict does not count: `first` was confirmed.
Result<Measurement> claimWithLaterSession(ShippedBuild &build, const Evaluator &evaluator, Measurement first);

} // namespace agentic
