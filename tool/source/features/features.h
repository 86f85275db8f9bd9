// Computes what a kernel is made of.
#pragma once

#include "tool/base/error.h"
#include "tool/model/kernel_features.h"
#include "tool/model/kernel_spec.h"

namespace agentic {

/// Parses the kernel with its closure (0.02-0.5 s) and describes it. Error if it does not parse.
Result<KernelFeatures> featuresOf(const KernelSpec &spec);

} // namespace agentic
