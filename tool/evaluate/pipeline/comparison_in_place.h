// Compares a winner with the baseline where the project itself makes its calls: in the tests and benchmarks, at their
// addresses and in their surroundings. Replayed calls are elsewhere, and a candidate can detect that.
#pragma once

#include "tool/evaluate/baseline/differential_facts.h"

#include <string>

namespace agentic {

/// Forks of the project's programs do sampled calls with both (differential/in_process.h). Passes with a remark where
/// that cannot be done; passes without one if it was done already (judgeDifferential, for calls that cannot be
/// captured). It cannot be done where rounding decides some elements (ExpectedStep::mayDiffer): a single call does not
/// show which. Then auditTimedCalls. Cost: a run of the tests, two short ones of each benchmark, some 20 ms a sampled
/// and 40 ms an audited call.
Result<DifferentialOutcome> judgeInPlace(const Prepared &prepared, const EvaluatorOptions &options,
                                         const Expectation &expectation, const std::string &sharedObject,
                                         const std::string &scratch);

/// Runs the benchmarks with the candidate, and audits some of its calls (auditInBenchmarks). Passes where judgeInPlace
/// could do nothing. Cost: a short run of each benchmark, some 40 ms an audited call.
Result<DifferentialOutcome> auditTimedCalls(const Prepared &prepared, const EvaluatorOptions &options,
                                            const Expectation &expectation, const std::string &sharedObject,
                                            const std::string &scratch);

} // namespace agentic
