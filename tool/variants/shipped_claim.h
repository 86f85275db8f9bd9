// How much faster than the original build the binary is as it ships: the ratio that is written into the variant.
#pragma once

#include "tool/variants/shipped_build.h"

namespace agentic {

/// At the evaluator's level. An error of kind NoImprovement unless it is faster, and by what the project asks for.
Result<Measurement> shippedClaim(ShippedBuild &build, const Evaluator &evaluator);

/// `first` and a measurement made now, some minutes later, as one. Its verdict does not count: `first` was confirmed.
Result<Measurement> claimWithLaterSession(ShippedBuild &build, const Evaluator &evaluator, Measurement first);

} // namespace agentic
