// Verifies that a kernel's checked-in variants are what they claim to be, on this machine and with this compiler.
// Changes nothing in the source tree.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/model/verification.h"

#include <optional>
#include <vector>

namespace agentic {

/// Limits of `verify`; the project's `limits` in .agentic-kernel.json apply where they are not set.
struct VerificationLimits {
  bool benchmark = true;                ///< measure; false: a variant's speed is not verified
  double minimumSpeedup = 0;            ///< required ratio; 0 = significantly faster is enough
  std::optional<std::size_t> codeBytes; ///< most bytes of text and constants of one variant
  std::optional<int> levels;            ///< most levels of one family
};

/// Verifies the kernel of `options.kernel`; its level is chosen here. For each variant the first failing requirement
/// ends it: fresh; the checks on the checked-in text, compile and audit; the project's tests with it forced in the
/// binary as it ships; recorded and generated calls; its speedup against the original build. Errors are those of the
/// machinery and of a project that cannot be prepared. Cost: preparation, two builds of tests and benchmarks, up to 6 s
/// of measuring.
Result<std::vector<VerifiedVariant>> verifyKernel(const EvaluatorOptions &options, const VerificationLimits &limits);

} // namespace agentic
