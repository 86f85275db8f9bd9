// A winner is also held against the baseline where the project itself makes its calls: in the tests and benchmarks, at
// the addresses and in the surroundings that they have there. Replayed calls lie elsewhere, and a candidate can tell.
#pragma once

#include "tool/evaluate/baseline/differential_facts.h"

#include <string>

namespace agentic {

/// Forks of the project's programs do sampled calls with both (differential/in_process.h). Passes, without a look and
/// with a remark, where that cannot be done; without one where it was done already (judgeDifferential, for calls that
/// cannot be captured). Where rounding decides some elements (ExpectedStep::mayDiffer) it cannot: a single call does
/// not show which. Cost: a run of the tests, a short one of each benchmark, some 20 ms a sampled call.
Result<DifferentialOutcome> judgeInPlace(const Prepared &prepared, const EvaluatorOptions &options,
                                         const Expectation &expectation, const std::string &sharedObject,
                                         const std::string &scratch);

} // namespace agentic
