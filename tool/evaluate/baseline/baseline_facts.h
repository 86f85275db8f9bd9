// Learns the facts that depend only on the baseline, or takes them from the cache.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/baseline/preparation.h"

namespace agentic {

/// Fills `prepared.facts` and `prepared.baselineLibrary`. Uncached: the baseline's tests twice, its benchmarks, the
/// trap controls and up to ten seconds of A/A pairs. Each problem of the project found here is one clear error.
Result<void> learnBaseline(Prepared &prepared, const EvaluatorOptions &options);

} // namespace agentic
