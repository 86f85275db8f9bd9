#include "tool/run/experiment.h"

#include "tool/build/optimization_tree.h"

namespace agentic {

Result<Manifest> manifestAt(const Manifest &manifest, const std::string &optimization, Messages &messages,
                            const Surroundings &surroundings) {
  if (optimization.empty())
    return manifest;
  messages.note(manifest.kernel + ": everything is compiled with -" + optimization +
                " in place of the project's own option; nothing will be written back");
  return manifestForOptimization(manifest, optimization, surroundings.cancelled);
}

void asExperiment(OptimizeOptions &options) {
  options.cold = true;
  options.config.write = false;
  options.target.allowUnoptimized = true;
}

} // namespace agentic
