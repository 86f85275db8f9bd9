// --optimization: the same job with everything compiled at another optimization level. Its results are an experiment:
// labelled, never written back, never mixed with those of the project's own build.
#pragma once

#include "tool/model/manifest.h"
#include "tool/run/optimize_run.h"

#include <string>

namespace agentic {

/// Returns the kernel in a tree compiled at that level ("O0"), or as it is if `optimization` is empty. Reports it.
/// Errors and cost: manifestForOptimization (build/optimization_tree.h).
Result<Manifest> manifestAt(const Manifest &manifest, const std::string &optimization, Messages &messages,
                            const Surroundings &surroundings);

/// Makes the run start from the baseline and write nothing.
void asExperiment(OptimizeOptions &options);

} // namespace agentic
