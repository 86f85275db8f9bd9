// The needs and facts of instruments for a prepared kernel: connects the preparation with instruments/. Facts about the
// quick calls are kept beside their plan, for every process that evaluates candidates of the kernel.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/baseline/preparation.h"
#include "tool/evaluate/instruments/sanitize.h"
#include "tool/evaluate/instruments/unset_values.h"

#include <string>

namespace agentic {

/// Returns a context with the folder `scratch`/instrumented, which it makes. `build` and `expectation` must outlive it.
Result<InstrumentedContext> instrumentedContext(const Prepared &prepared, const EvaluatorOptions &options,
                                                const BuildContext &build, const Expectation &expectation,
                                                const std::string &scratch);

/// Each returns the facts of the quick calls, which are those of `context`.
Result<SanitizeFacts> quickSanitizeFacts(const Prepared &prepared, const InstrumentedContext &context);
Result<UnsetFacts> quickUnsetFacts(const Prepared &prepared, const InstrumentedContext &context);

} // namespace agentic
