// --optimization: the same job with everything compiled at another optimization level. Its results are an experiment:
// labelled, never written back, never mixed with those of the project's own build.
#pragma once

#include "tool/cli/console.h"
#include "tool/cli/optimize_run.h"
#include "tool/model/manifest.h"

#include <string>

namespace CLI {
class App;
}

namespace agentic {

void declareOptimization(CLI::App &app, std::string &optimization);

/// The kernel in a tree compiled at that level ("O0"), or as it is if `optimization` is empty. Says so. Errors and
/// cost: manifestForOptimization (build/optimization_tree.h).
Result<Manifest> manifestAt(Console &console, const Manifest &manifest, const std::string &optimization);

/// From the baseline, and nothing is written.
void asExperiment(OptimizeOptions &options);

} // namespace agentic
