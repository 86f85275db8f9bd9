// Whether a kernel's checked-in variants are what they claim to be, on this machine and with this compiler. Nothing in
// the source tree is changed.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/model/verification.h"

#include <optional>
#include <vector>

namespace agentic {

/// What is not given here is the project's: `limits` in .agentic-kernel.json.
struct VerificationLimits {
  bool benchmark = true;                ///< measure; else a variant's speed is not asked
  double minimumSpeedup = 0;            ///< what the measured ratio must reach; 0 = significantly faster is enough
  std::optional<std::size_t> codeBytes; ///< most bytes of text and constants of one variant
  std::optional<int> levels;            ///< most levels of one family
};

/// `options.kernel` names the kernel; its level is chosen here. Per variant, the first that falls short ends it: fresh;
/// the checks on the text that is checked in, compile and audit; the project's tests with it forced in the binary as it
/// ships; recorded and generated calls; its speedup against the original build. Errors are those of the machinery and
/// of a project that cannot be prepared. Cost: preparation, two builds of tests and benchmarks, up to 6 s of measuring.
Result<std::vector<VerifiedVariant>> verifyKernel(const EvaluatorOptions &options, const VerificationLimits &limits);

} // namespace agentic
