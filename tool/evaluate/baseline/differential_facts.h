// The expected behaviour of a kernel's candidates in recorded and generated calls, learnt from the baseline and kept
// with its facts: connects the preparation with differential/.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/baseline/preparation.h"
#include "tool/evaluate/differential/learning.h"
#include "tool/evaluate/differential/shape_timing.h"
#include "tool/evaluate/differential/value_timing.h"

#include <string>

namespace agentic {

/// Returns the runner's context for this kernel; nothing of the project is visible there.
Result<ReplayContext> replayContext(const Prepared &prepared, const EvaluatorOptions &options,
                                    const std::string &scratch);

/// Compiles the baseline in two more ways, ahead of learnDifferential. It reads nothing of `prepared` that learning the
/// baseline writes, so both may run at the same time.
Result<void> buildBaselines(const Prepared &prepared, const BuildContext &context);

struct DifferentialRequest {
  DifferentialPart part = DifferentialPart::Quick;
  double secondsLimit = 0; ///< limit of the baseline's time for one run of the plan; 0 = the part's own
};

/// Learns a part with a fresh secret seed into `directory`. Cost: differential/learning.h, and the baseline compiled
/// twice more (once per cache). No steps when calls of this kernel cannot be captured; the remarks say why.
Result<Expectation> learnDifferential(const Prepared &prepared, const EvaluatorOptions &options,
                                      const DifferentialRequest &request, const std::string &directory,
                                      const std::string &scratch);

/// Returns the quick part, from the cache below `directory` if it is there.
Result<Expectation> quickExpectation(const Prepared &prepared, const EvaluatorOptions &options,
                                     const std::string &directory, const std::string &scratch);

/// Returns whether the stage differential has anything to compare.
bool hasDifferential(const Prepared &prepared, const Expectation &expectation);

/// Runs the stage differential on a candidate's shared object: the plan is replayed; calls that cannot be captured are
/// compared in the place where they are made. Passes if there is nothing to compare. Cost: differential/expectation.h
/// and, only for kernels with such calls, differential/in_process.h.
Result<DifferentialOutcome> judgeDifferential(const Prepared &prepared, const EvaluatorOptions &options,
                                              const Expectation &expectation, const std::string &sharedObject,
                                              const std::string &scratch);

/// Times shapes that no benchmark measures (differential/shape_timing.h).
Result<ShapeTimings> timeOtherShapes(const Prepared &prepared, const ReplayContext &context,
                                     const std::string &candidate, const DecisionRule &rule,
                                     const std::string &directory);

/// Times the benchmarks' calls with values that differ a little (differential/value_timing.h).
Result<ValueTimings> timeOtherValues(const Prepared &prepared, const ReplayContext &context,
                                     const std::string &candidate, const std::string &directory);

} // namespace agentic
