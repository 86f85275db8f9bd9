// agentic-kernel status: shows the kernels of a build tree, what the build compiles for each, contracts and variants.
#include "tool/agent/judge_standing.h"
#include "tool/base/money.h"
#include "tool/base/terminal_text.h"
#include "tool/base/text.h"
#include "tool/build/family_tree.h"
#include "tool/build/manifests.h"
#include "tool/cli/command.h"
#include "tool/cli/common.h"
#include "tool/evaluate/baseline/baseline_check.h"
#include "tool/evaluate/baseline/baseline_coverage.h"
#include "tool/evaluate/baseline/kept_callers.h"
#include "tool/evaluate/baseline/level_here.h"
#include "tool/model/json.h"
#include "tool/report/speedup_json.h"
#include "tool/run/calibrated.h"
#include "tool/run/run_tree.h"
#include "tool/search/journal.h"
#include "tool/variants/existing_variant.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>

namespace agentic {
namespace {

/// Returns the specification with what the baseline's check found out.
Result<KernelSpec> checkedSpec(const Manifest &manifest) {
  const CompileCommand command = TRY(sourceCommand(manifest, manifest.buildDir));
  const Compiler compiler = TRY(compilerOf(manifest));
  BaselineCheck check = TRY(checkBaselineOnce(manifest, command, compiler));
  return std::move(check.spec);
}

/// Adds "contract" and, for people, "contract_lines"; null and why in "contract_error" if it is not known.
void addContract(const Result<KernelSpec> &spec, nlohmann::json &kernel) {
  kernel["contract"] = nullptr;
  if (!spec) {
    kernel["contract_error"] = spec.error().message;
    return;
  }
  kernel["contract"] = spec->contract;
  kernel["contract"]["mayReassociate"] = mayReassociate(*spec);
  kernel["contract_lines"] = contractLines(spec->contract);
  kernel["permissions"] = spec->permissions;
}

/// The lock's variants are "fresh" or "stale"; those that the project asks for and does not have are "missing".
void addVariants(const Manifest &manifest, const Result<KernelSpec> &spec, nlohmann::json &kernel) {
  std::set<std::string> present; // "x86-64-v3 clang"
  if (spec) {
    const ExistingVariants existing = readExisting(manifest.variantDir, *spec);
    kernel["stale_reason"] = existing.staleReason;
    for (const Lock::Variant &variant : existing.lock ? existing.lock->variants : std::vector<Lock::Variant>()) {
      const Provenance &from = variant.provenance;
      const Result<LevelHere> here = levelHere(from.level, manifest);
      present.insert(nameOf(variant));
      kernel["variants"].push_back({{"level", from.level},
                                    {"family", from.family},
                                    {"state", existing.fresh() ? "fresh" : "stale"},
                                    {"ratio", from.ratio},
                                    {"low", from.low},
                                    {"high", from.high},
                                    {"compiler", from.compilerVersion},
                                    {"cpu", from.cpu},
                                    {"date", from.date},
                                    {"file", manifest.variantDir + "/" + variant.file.path},
                                    {"tuned", from.isTuned},
                                    {"runs_here", here && *here != LevelHere::No}});
    }
  }
  const Result<std::vector<Family>> families = chosenFamilies(manifest, {});
  for (const Family family : families.value_or(std::vector<Family>()))
    for (const std::string &level : manifest.architectures)
      if (!present.contains(level + " " + familyName(family)))
        kernel["variants"].push_back({{"level", level}, {"family", familyName(family)}, {"state", "missing"}});
}

std::string variantText(const nlohmann::json &variant) {
  const auto text = [&](const char *name) { return variant[name].get<std::string>(); };
  const std::string start = fmt::format("  {:<10} {:<6} {:<8}", text("level"), text("family"), text("state"));
  if (text("state") == "missing")
    return start;
  const auto number = [&](const char *name) { return variant[name].get<double>(); };
  if (!variant["tuned"].get<bool>())
    return start + fmt::format("untuned  {} {}, tested under {}; used only if it is forced", text("family"),
                               text("compiler"), text("cpu"));
  return start + fmt::format("{:.2f}x [{:.2f}, {:.2f}]  {} {}, {}{}", number("ratio"), number("low"), number("high"),
                             text("family"), text("compiler"), text("cpu"),
                             variant["runs_here"].get<bool>() ? "" : " (not on this CPU)");
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
  void declare(CLI::App &app) override { common_.declare(app, CommonOptions::Kernels::All); }

  int run(Console &console) override {
    nlohmann::json result = {{"kernels", nlohmann::json::array()}};
    auto manifests = chosenManifests(common_.buildDir, common_.kernel, common_.config);
    if (!manifests)
      return console.fail(manifests.error(), common_.json, result);
    for (const Manifest &manifest : *manifests)
      result["kernels"].push_back(one(manifest));
    const StoredCalibration calibration = machineCalibrationNow(userCacheFile(kCalibrationFile, common_.buildDir));
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
                             {"stale_reason", ""},
                             {"unfinished_run", nullptr},
                             {"last_strategy", nullptr},
                             {"last_roles", nullptr},
                             {"last_judge", nullptr}};
    const Result<KernelSpec> spec = checkedSpec(manifest);
    addContract(spec, kernel);
    addVariants(manifest, spec, kernel);
    const auto coverage = lastBaselineCoverage(manifest);
    const std::string uncovered = coverage ? uncoveredSentence(*coverage, manifest.sourceDir) : std::string();
    kernel["uncovered"] = uncovered.empty() ? nlohmann::json() : nlohmann::json(uncovered);
    const std::string callers = callersText(lastCallers(manifest).value_or(CallingThreads()));
    kernel["callers"] = callers.empty() ? nlohmann::json() : nlohmann::json(callers);
    const std::vector<std::string> runs = listRuns(runsDirectory(manifest.buildDir), manifest.kernel);
    if (!runs.empty())
      if (const auto record = readRun(runs.back())) {
        if (!record->finished)
          kernel["unfinished_run"] = runs.back();
        addRoles(*record, runs.back(), kernel);
      }
    return kernel;
  }

  /// Adds what the newest run asked for, and what its roles cost.
  static void addRoles(const RunRecord &record, const std::string &directory, nlohmann::json &kernel) {
    if (!record.asked.empty())
      kernel["last_strategy"] = record.asked.back().ask.strategy;
    kernel["last_roles"] = rolesJson(roleTotalsOf(directory, record.config));
    if (!record.judged.empty())
      kernel["last_judge"] = judgeText(judgeStanding(record.judged, record.attempts));
  }

  static void printRoles(Console &console, const nlohmann::json &kernel) {
    for (const char *name : {"strategy", "judge"})
      if (const nlohmann::json &value = kernel[std::string("last_") + name]; value.is_string())
        console.out(fmt::format("  {:<10} {} (newest run)", name, printable(value.get<std::string>())));
    for (const auto &[role, totals] : kernel["last_roles"].items())
      console.out(fmt::format("  {:<10} {} calls, {} (newest run)", printable(role), totals["calls"].get<int>(),
                              usdText(totals["cost_usd"].get<double>())));
  }

  static void print(Console &console, const nlohmann::json &result) {
    for (const nlohmann::json &kernel : result["kernels"]) {
      console.out(console.bold(kernel["kernel"].get<std::string>()) + "  " + kernel["state"].get<std::string>() + "  " +
                  kernel["source"].get<std::string>());
      console.out(fmt::format("  {:<10} {}", "contract", contractText(kernel)));
      if (kernel["callers"].is_string())
        console.out(fmt::format("  {:<10} {}", "threads", kernel["callers"].get<std::string>()));
      const auto permissions = kernel.value("permissions", std::vector<Permission>());
      for (const Permission &permission : permissions)
        console.out(fmt::format("  {:<10} {}", "permitted", describe(permission)));
      if (kernel["uncovered"].is_string())
        console.out(fmt::format("  {:<10} {}", "never run", kernel["uncovered"].get<std::string>()));
      for (const nlohmann::json &variant : kernel["variants"])
        console.out(variantText(variant));
      if (const std::string reason = kernel.value("stale_reason", ""); !reason.empty())
        console.out("  stale: " + reason + "; build target optimize-" + kernel["kernel"].get<std::string>() +
                    ", or relock if only comments have changed");
      if (kernel["variants"].empty() && !kernel["contract"].is_null())
        console.out("  no variants; build target optimize-" + kernel["kernel"].get<std::string>());
      printRoles(console, kernel);
      if (kernel["unfinished_run"].is_string())
        console.out("  unfinished run " + kernel["unfinished_run"].get<std::string>() +
                    "; continue with optimize --resume");
    }
  }

  CommonOptions common_;
};

} // namespace

extern const CommandRow kStatusCommand = {
    .name = "status",
    .summary = "list the kernels of a build tree and their variants",
    .example = "-B build",
    .make = makeCommand<StatusCommand>,
};

} // namespace agentic
