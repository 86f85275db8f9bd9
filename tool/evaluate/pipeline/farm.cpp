#include "tool/evaluate/pipeline/farm.h"

#include "tool/base/clock.h"
#include "tool/evaluate/baseline/project_level.h"

namespace agentic {

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
  FarmOptions farm = options.farm;
  if (prepared.programHosts) // what it learned there says nothing of another kind
    farm.kind = prepared.programHosts->group();
  FarmRequest request{.options = &farm,
                      .features = programFeatures(*prepared.level, prepared.shadow.command),
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
  if (prepared.programHosts && hosts->group() != farm.kind)
    return userError("no host of the kind that runs the programs (" + farm.kind + ") is left to measure on",
                     "see why above, or leave such hosts out of --farm");
  prepared.times.push_back({"farm", steadySeconds() - start});
  return std::shared_ptr<MeasuringHosts>(std::move(hosts));
}

} // namespace agentic
