// Makes the expectation of candidates from recorded calls: makes a plan, and the baseline does it first. Steps that the
// baseline cannot do, or does not do twice alike, is not asked of candidates.
#pragma once

#include "tool/base/error.h"
#include "tool/build/glue.h"
#include "tool/evaluate/differential/expectation.h"
#include "tool/evaluate/differential/recorded_calls.h"
#include "tool/model/kernel_spec.h"

#include <cstdint>
#include <string>

namespace agentic {

/// The size of a plan: quick is a stage of every evaluation, full belongs to confirm.
enum class DifferentialPart { Quick, Full };

struct LearningRequest {
  const KernelSpec *spec = nullptr;
  const GlueDescription *kernel = nullptr;
  const RecordedCalls *recorded = nullptr;
  std::string baseline; ///< shared object
  /// The baseline compiled so that a * b + c is never fused: where its results differ, rounding decides. Empty = none.
  std::string baselineUnfused;
  /// The baseline that traps on undefined behaviour: generated calls that it does not survive are dropped. Empty =
  /// none, and then no extreme integers are made.
  std::string baselineTrapping;
  /// The baseline as it is written, without optimisation: small generated calls in which it reads or writes elsewhere
  /// are dropped, although the optimised one may have no use for what it would read there. Empty = none.
  std::string baselineUnoptimised;
  std::string directory; ///< gets plan and results; exists
  DifferentialPart part = DifferentialPart::Quick;
  std::uint64_t seed = 1;  ///< secret
  double secondsLimit = 0; ///< limit of the baseline's time for one run of the plan; 0 = the part's own
  int longestTail = 129;   ///< generated_calls.h
};

/// Cost: some five runs of the plan on the baseline, two at a time where they do not depend on each other; the quick
/// plan is kept to about a second of the baseline's time, the full one to four. No steps: nothing could be captured,
/// the remarks say why. Errors: the runner; a baseline that writes outside of its buffers or reads outside of them (the
/// kernel or its contract is wrong: names which).
Result<Expectation> learnExpectation(const ReplayContext &context, const LearningRequest &request);

} // namespace agentic
