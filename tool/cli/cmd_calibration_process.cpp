// The two processes that `calibrate` starts: a reference kernel as a benchmark program, and a load on the machine.
#include "tool/base/files.h"
#include "tool/cli/command.h"
#include "tool/evaluate/calibration/calibration_kernels.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdlib>

namespace agentic {
namespace {

/// agentic-kernel calibration-kernel NAME: takes Google Benchmark's options, and writes its report.
class CalibrationKernelCommand : public Command {
public:
  void declare(CLI::App &app) override {
    app.allow_extras(); // Google Benchmark's other options change nothing here
    app.add_option("kernel", run_.kernel, "the reference kernel")->required();
    app.add_option("--benchmark_out", report_, "the report's file")->required();
    app.add_option("--benchmark_repetitions", run_.repetitions, "how often it is timed");
    app.add_option("--benchmark_min_time", run_.minTime, "seconds per repetition, at least");
  }

  int run(Console &console) override {
    // The variable that chooses, as in a kernel's dispatcher.
    const char *choice = std::getenv("AGENTIC_KERNEL_calibration");
    run_.lessWork = choice && std::string(choice) == kLessWork;
    auto report = runCalibrationKernel(run_);
    if (!report)
      return console.fail(report.error(), false, nlohmann::json::object());
    if (auto written = writeFileAtomic(report_, *report); !written)
      return console.fail(written.error(), false, nlohmann::json::object());
    return 0;
  }

private:
  CalibrationKernelRun run_;
  std::string report_;
};

/// agentic-kernel calibration-load SECONDS
class CalibrationLoadCommand : public Command {
public:
  void declare(CLI::App &app) override { app.add_option("seconds", seconds_, "how long")->required(); }

  int run(Console &) override {
    burdenMachine(seconds_);
    return 0;
  }

private:
  double seconds_ = 0;
};

} // namespace

extern const CommandRow kCalibrationKernelCommand = {
    .name = "calibration-kernel",
    .summary = "a reference kernel as a benchmark (called by the tool itself)",
    .make = makeCommand<CalibrationKernelCommand>,
    .hidden = true,
};

extern const CommandRow kCalibrationLoadCommand = {
    .name = "calibration-load",
    .summary = "a load on the machine (called by the tool itself)",
    .make = makeCommand<CalibrationLoadCommand>,
    .hidden = true,
};

} // namespace agentic
