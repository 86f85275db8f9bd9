#include "tool/run/target_options.h"

#include "tool/run/calibrated.h"
#include "tool/run/copied_sources.h"

namespace agentic {

EvaluatorOptions evaluatorOptions(const TargetOptions &target, Messages &messages, const Surroundings &surroundings) {
  EvaluatorOptions options;
  options.buildDir = target.buildDir;
  options.kernel = target.kernel;
  options.config = target.config;
  options.level = target.level;
  options.allowUnoptimized = target.allowUnoptimized;
  options.requireSandbox = target.requireSandbox;
  options.allowUncovered = target.allowUncovered;
  options.checkProgram = surroundings.program;
  options.rooflineFile = surroundings.cacheFile("roofline.json", target.buildDir);
  const StoredCalibration stored = machineCalibrationNow(surroundings.cacheFile(kCalibrationFile, target.buildDir));
  options.threshold = settleThreshold(messages, target.thresholdPercent, stored);
  options.measuresAlone = stored.calibration && stored.calibration->isDisturbedByLoad();
  options.remarks = [surroundings](const Manifest &manifest, const KernelSpec &spec, const std::string &text) {
    return copyRemarks(manifest, spec, text, surroundings);
  };
  options.cancelled = surroundings.cancelled;
  options.progress = [&messages](const std::string &line) { messages.note("  " + line); };
  options.warning = [&messages](const std::string &line) { messages.warn(line); };
  return options;
}

std::string runsDirectory(const std::string &buildDir) {
  return buildDir + "/_agentic/runs";
}

} // namespace agentic
