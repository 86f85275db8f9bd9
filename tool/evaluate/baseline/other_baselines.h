// The unchanged kernel built in other ways than candidates are.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/baseline/preparation.h"
#include "tool/evaluate/candidate/candidate_build.h"

#include <string>
#include <vector>

namespace agentic {

/// Builds the baseline with `flags` added as another shared object, once; returns it, or "" if the compiler does not
/// take them. Cost: a compile.
Result<std::string> baselineWith(const Prepared &prepared, const BuildContext &context, const std::string &name,
                                 const std::vector<std::string> &flags);

/// Builds the baseline without fused operations.
Result<std::string> buildUnfused(const Prepared &prepared, const BuildContext &context);

/// The same; "" if it has none anyway: then the code is the same.
Result<std::string> unfusedBaseline(const Prepared &prepared, const BuildContext &context);

} // namespace agentic
