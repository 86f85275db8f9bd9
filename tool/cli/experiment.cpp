#include "tool/cli/experiment.h"
#include "tool/cli/option_values.h"

#include "tool/build/optimization_tree.h"

#include <CLI/CLI.hpp>

namespace agentic {

void declareOptimization(CLI::App &app, std::string &optimization) {
  app.add_option("--optimization", optimization,
                 "an experiment: baseline and candidates compiled with this in place of the project's -O option, in a "
                 "tree of its own, e.g. O0; nothing is written back")
      ->check(oneOf({"O0", "O1", "O2", "O3", "Os", "Oz", "Og"}));
}

Result<Manifest> manifestAt(Console &console, const Manifest &manifest, const std::string &optimization) {
  if (optimization.empty())
    return manifest;
  console.note(manifest.kernel + ": everything is compiled with -" + optimization +
               " in place of the project's own option; nothing will be written back");
  return manifestForOptimization(manifest, optimization, &interrupted());
}

void asExperiment(OptimizeOptions &options) {
  options.cold = true;
  options.config.write = false;
  options.common.allowUnoptimized = true;
}

} // namespace agentic
