// agentic-kernel status: the kernels of a build tree, what the build compiles for each, their contracts and variants.
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/build/host.h"
#include "tool/build/manifests.h"
#include "tool/cli/calibrated.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/evaluate/current_spec.h"
#include "tool/model/json.h"
#include "tool/search/journal.h"
#include "tool/source/emit.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace agentic {
namespace {

/// Adds "contract" and, for people, "contract_lines"; null and why in "contract_error" if it is not known.
void addContract(const Manifest &manifest, nlohmann::json &kernel) {
  const Result<KernelSpec> spec = currentSpec(manifest);
  kernel["contract"] = nullptr;
  if (!spec) {
    kernel["contract_error"] = spec.error().message;
    return;
  }
  kernel["contract"] = spec->contract;
  kernel["contract"]["mayReassociate"] = mayReassociate(*spec);
  kernel["contract_lines"] = contractLines(spec->contract);
}

std::string contractText(const nlohmann::json &kernel) {
  if (kernel["contract"].is_null())
    return "not known: " + kernel["contract_error"].get<std::string>();
  const std::string lines = join(kernel["contract_lines"].get<std::vector<std::string>>(), "; ");
  if (!lines.empty())
    return lines;
  const bool reassociates = kernel["contract"]["mayReassociate"].get<bool>();
  return std::string("none: ") + (reassociates ? "floating point as the flags permit" : "strict floating point") +
         ", disjoint pointer arguments";
}

class StatusCommand : public Command {
public:
  void declare(CLI::App &app) override { common_.declare(app, false); }

  int run(Console &console) override {
    nlohmann::json result = {{"kernels", nlohmann::json::array()}};
    auto manifests = chosenManifests(common_.buildDir, common_.kernel, common_.config);
    if (!manifests)
      return console.fail(manifests.error(), common_.json, result);
    for (const Manifest &manifest : *manifests)
      result["kernels"].push_back(one(manifest));
    const StoredCalibration calibration = machineCalibrationNow(common_.buildDir);
    result["calibration"] = calibrationJson(calibration);
    if (common_.json) {
      console.json(result);
    } else {
      print(console, result);
      console.out("this machine  " + calibrationLine(calibration));
    }
    return 0;
  }

private:
  nlohmann::json one(const Manifest &manifest) const {
    nlohmann::json kernel = {{"kernel", manifest.kernel},
                             {"source", manifest.source},
                             {"state", manifest.state},
                             {"mode", manifest.mode},
                             {"compiler", manifest.compilerId + " " + manifest.compilerVersion},
                             {"variants", nlohmann::json::array()},
                             {"unfinished_run", nullptr}};
    addContract(manifest, kernel);
    const std::string lockFile = manifest.variantDir + "/" + manifest.kernel + ".lock.json";
    if (auto text = readFile(lockFile)) {
      if (auto lock = parseLock(*text, lockFile)) {
        for (const Lock::Variant &variant : lock->variants) {
          const Provenance &from = variant.provenance;
          const Level *level = findLevel(from.level);
          kernel["variants"].push_back({{"level", from.level},
                                        {"family", from.family},
                                        {"ratio", from.ratio},
                                        {"low", from.low},
                                        {"high", from.high},
                                        {"compiler", from.compilerVersion},
                                        {"cpu", from.cpu},
                                        {"date", from.date},
                                        {"file", manifest.variantDir + "/" + variant.file.path},
                                        {"runs_here", level != nullptr && cpuHasLevel(*level)}});
        }
      } else {
        kernel["state"] = "stale: " + lock.error().message;
      }
    }
    const std::vector<std::string> runs = listRuns(runsDirectory(manifest.buildDir), manifest.kernel);
    if (!runs.empty())
      if (auto record = readRun(runs.back()); record && !record->finished)
        kernel["unfinished_run"] = runs.back();
    return kernel;
  }

  static void print(Console &console, const nlohmann::json &result) {
    for (const nlohmann::json &kernel : result["kernels"]) {
      console.out(console.bold(kernel["kernel"].get<std::string>()) + "  " + kernel["state"].get<std::string>() + "  " +
                  kernel["source"].get<std::string>());
      console.out(fmt::format("  {:<10} {}", "contract", contractText(kernel)));
      for (const nlohmann::json &variant : kernel["variants"])
        console.out(fmt::format(
            "  {:<10} {:<6} {:.2f}x [{:.2f}, {:.2f}]  {} {}, {}{}", variant["level"].get<std::string>(),
            variant["family"].get<std::string>(), variant["ratio"].get<double>(), variant["low"].get<double>(),
            variant["high"].get<double>(), variant["family"].get<std::string>(), variant["compiler"].get<std::string>(),
            variant["cpu"].get<std::string>(), variant["runs_here"].get<bool>() ? "" : " (not on this CPU)"));
      if (kernel["variants"].empty())
        console.out("  no variants; build target optimize-" + kernel["kernel"].get<std::string>());
      if (kernel["unfinished_run"].is_string())
        console.out("  unfinished run " + kernel["unfinished_run"].get<std::string>() +
                    "; continue with optimize --resume");
    }
  }

  CommonOptions common_;
};

} // namespace

std::unique_ptr<Command> makeStatusCommand() {
  return std::make_unique<StatusCommand>();
}

} // namespace agentic
