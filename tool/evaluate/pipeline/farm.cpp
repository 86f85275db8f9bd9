#include "tool/evaluate/pipeline/farm.h"

#include "tool/base/clock.h"
#include "tool/base/text.h"

#include <algorithm>

namespace agentic {
namespace {

/// The features that code for the level, and the programs themselves, may use. Options that choose instructions by
/// other means than a level of ours may choose all that this machine has.
std::vector<std::string> featuresOf(const Prepared &prepared, const Cpu &cpu) {
  std::vector<std::string> features = split(prepared.level->features, ',');
  bool isOpen = false;
  for (const std::string &argument : prepared.shadow.command.arguments) {
    if (!argument.starts_with("-m"))
      continue;
    const std::string value = argument.substr(argument.find('=') + 1);
    if (const Level *level = argument.starts_with("-march=") ? findLevel(value) : nullptr) {
      const std::vector<std::string> own = split(level->features, ',');
      features.insert(features.end(), own.begin(), own.end());
    } else if (!argument.starts_with("-mtune=") && argument != "-march=x86-64" && argument != "-march=armv8-a") {
      isOpen = true;
    }
  }
  for (const CpuFeature &feature : cpuFeatures())
    if (isOpen && hasFeatures(cpu, feature.name))
      features.emplace_back(feature.name);
  std::erase(features, "");
  std::ranges::sort(features);
  const auto twice = std::ranges::unique(features);
  features.erase(twice.begin(), twice.end());
  return features;
}

} // namespace

Result<std::shared_ptr<MeasuringHosts>> openFarm(Prepared &prepared, const EvaluatorOptions &options,
                                                 const std::string &scratch) {
  if (options.farm.hosts.empty())
    return nullptr;
  if (!prepared.isTimed)
    return userError("--farm measures, and level " + std::string(prepared.level->name) + " is only emulated here",
                     "leave --farm out, or name a level that this machine has with --level");
  const double start = steadySeconds();
  if (options.progress)
    options.progress("connecting to the hosts of the farm, which learn the benchmarks");
  const auto say = [](const std::function<void(const std::string &)> &where) {
    return where ? where : [](const std::string &) {};
  };
  FarmRequest request{.options = &options.farm,
                      .features = featuresOf(prepared, hostCpu()),
                      .benchmark = {.programs = &prepared.shadow.benchmarks,
                                    .filter = prepared.manifest.benchmarkFilter,
                                    .reference = prepared.baselineLibrary},
                      .facts = &prepared.facts.benchmarks,
                      .data = {},
                      .note = say(options.progress),
                      .warn = say(options.warning)};
  request.benchmark.rule.threshold = options.threshold;
  if (prepared.programHosts)
    request.connected = prepared.programHosts->connected();
  for (const std::string &data : prepared.manifest.testData)
    request.data.push_back(absoluteIn(prepared.manifest.sourceDir, data));
  std::unique_ptr<MeasuringHosts> hosts = TRY(MeasuringHosts::open(prepared.runContext(options, scratch), request));
  prepared.times.push_back({"farm", steadySeconds() - start});
  return std::shared_ptr<MeasuringHosts>(std::move(hosts));
}

} // namespace agentic
