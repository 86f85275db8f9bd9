// Runs the checks on kernels as the user wrote them, and caches the result until an input changes.
#pragma once

#include "tool/base/error.h"
#include "tool/model/compile_command.h"
#include "tool/model/finding.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/manifest.h"
#include "tool/source/extract/extract.h"

#include <atomic>
#include <vector>

namespace agentic {

/// The baseline's own findings (configure-time check): extraction + checks on SOURCE, with file:line of SOURCE. What a
/// candidate may do because the baseline does it is no finding, but in the spec's permissions.
struct BaselineCheck {
  KernelSpec spec;
  std::vector<Finding> findings;
};
Result<BaselineCheck> checkBaseline(const Manifest &manifest, const CompileCommand &command, const Compiler &compiler);

/// The same for what was extracted from `source`, the text in SOURCE's place (LF).
Result<BaselineCheck> checkExtraction(Extraction extraction, const std::string &source);

/// checkBaseline(), unless an earlier one found nothing and SOURCE, its headers, its command, the compiler, the policy
/// and this tool are still the same (the cache of preparation). Errors: those of checkBaseline. Cost: a few
/// milliseconds, else a parse of SOURCE (0.02 s for plain code, 0.5 s below heavy headers).
Result<BaselineCheck> checkBaselineOnce(const Manifest &manifest, const CompileCommand &command,
                                        const Compiler &compiler);

/// Checks the kernels of one build tree, several at once; the results are in the order of `manifests`, and `cancelled`
/// leaves the rest out with an error.
std::vector<Result<BaselineCheck>> checkBaselines(const std::vector<Manifest> &manifests,
                                                  const std::atomic<bool> &cancelled);

} // namespace agentic
