// agentic-kernel optimize: the whole job for one kernel, or for every kernel of the build tree one after the other.
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/cli/optimize_report.h"

#include "tool/build/manifests.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace agentic {
namespace {

class OptimizeCommand : public Command {
public:
  void declare(CLI::App &app) override {
    common_.declare(app, false);
    common_.declareThreshold(app);
    common_.declareRequirements(app);
    app.add_option("--agent", agent_, "what proposes candidates (default: AGENTIC_KERNEL_AGENT of the project)");
    app.add_option("--max-iterations", maxIterations_, "stop after this many candidates; 0 = unlimited")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--max-seconds", maxSeconds_, "stop after this wall time, preparation and confirmation included")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--seed", config_.seed, "the same seed and outcomes give the same proposals")->capture_default_str();
    app.add_option("--seed-from", seedFrom_, "transform and tune this candidate instead of the function as written");
    app.add_flag("--cold", cold_, "ignore the checked-in variants and what won in earlier runs");
    app.add_flag("!--no-write", config_.write, "search and confirm, but leave the source tree alone");
    app.add_option("--patch", config_.patchFile, "write a patch there instead of the generated files");
    app.add_flag("--resume", config_.resume, "continue the kernel's newest unfinished run");
    app.add_flag("--timings", common_.timings, "show where the time went");
    app.add_flag("--allow-unoptimized", common_.allowUnoptimized, "permit a Debug, empty or sanitizer build type");
  }

  int run(Console &console) override {
    auto manifests = loadManifests(common_.buildDir, common_.config);
    if (!manifests)
      return console.fail(manifests.error(), common_.json, emptyOptimizeResult(common_.kernel));
    if (common_.kernel.empty() && manifests->size() == 1)
      common_.kernel = manifests->front().kernel;
    if (!common_.kernel.empty())
      return one(console, common_.kernel);
    int status = 0;
    for (const Manifest &manifest : *manifests) {
      const int result = one(console, manifest.kernel);
      if (result == static_cast<int>(ErrorKind::Interrupted))
        return result;
      if (result != 0 && (status == 0 || status == static_cast<int>(ErrorKind::NoImprovement)))
        status = result; // "no improvement" of one kernel must not hide another's error
    }
    return status;
  }

private:
  int one(Console &console, const std::string &kernel) {
    OptimizeOptions options{common_, config_, agent_, maxIterations_, maxSeconds_, cold_, seedFrom_};
    options.common.kernel = kernel;
    OptimizedKernel run;
    const auto done = optimizeKernel(console, options, run);
    if (common_.timings && run.evaluator)
      timings(console, run);
    if (!done)
      return console.fail(done.error(), common_.json, optimizeResult(run, false));
    if (common_.json)
      console.json(optimizeResult(run, true));
    else
      printOptimized(console, run);
    if (run.outcome.reason == StopReason::Interrupted)
      return static_cast<int>(ErrorKind::Interrupted);
    return run.outcome.best ? 0 : static_cast<int>(ErrorKind::NoImprovement);
  }

  static void timings(Console &console, const OptimizedKernel &run) {
    std::vector<StageTime> times = run.evaluator->preparationTimes();
    for (const auto &[stage, total] : run.stageSeconds)
      times.push_back({stage, total});
    printTimings(console, times);
  }

  CommonOptions common_;
  RunConfig config_;
  std::string agent_;
  int maxIterations_ = -1;
  double maxSeconds_ = -1;
  bool cold_ = false;
  std::string seedFrom_;
};

} // namespace

std::unique_ptr<Command> makeOptimizeCommand() {
  return std::make_unique<OptimizeCommand>();
}

} // namespace agentic
