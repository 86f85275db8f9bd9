// Test adequacy: mutants of the baseline (source/mutants.h) are compiled like trap controls and run with the project's
// tests; those that pass show which kinds of wrong candidates would pass, too.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/adequacy/adequacy_outcome.h"
#include "tool/evaluate/baseline/preparation.h"

namespace agentic {

/// Compiles on all processors, tests one mutant after the other. A mutant that crashes or takes ten times as long as
/// the baseline (at least 3 s) is killed. Outcomes are kept by content beside the baseline's facts: a mutant that was
/// judged before costs nothing, and the next process continues one that ran out of time. Cost: a compile and at most a
/// test run for each mutant. Errors: Clang cannot parse the kernel; a program cannot be started; interrupted.
Result<Adequacy> judgeTests(const Prepared &prepared, const EvaluatorOptions &options, const AdequacyRequest &request);

} // namespace agentic
