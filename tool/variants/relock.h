// Relocks variants after an edit that leaves a kernel as it is (a comment, its layout, a header beside it), or after an
// update of the tool that changes the dispatcher: the variants are made again around the text, proved correct again,
// and get a new lock. No search, no measurement.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/pipeline/evaluator.h"

#include <string>
#include <vector>

namespace agentic {

struct Relocked {
  std::string reason;                ///< why a relock was needed; empty: nothing was done
  std::vector<std::string> verified; ///< "x86-64-v4 clang", in the lock's order
  std::vector<std::string> files;    ///< paths whose text changed
  std::vector<std::string> warnings;
};

/// `options.kernel` names the kernel. Each variant of this machine's levels and this compiler goes through check,
/// compile and audit, the project's tests with it forced in the binary as it ships, and recorded and generated calls
/// against the kernel as it is now. Others pass if nothing but comments and layout in SOURCE has changed. Errors: the
/// kernel has no variants; its tokens have changed; a variant was edited, cannot be verified here, or (Rejected) is no
/// longer correct. Nothing is written then. Cost: a preparation and one build of the tests per level.
Result<Relocked> relock(const EvaluatorOptions &options);

} // namespace agentic
