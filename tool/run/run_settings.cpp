#include "tool/run/run_settings.h"

#include "tool/base/hash.h"
#include "tool/base/money.h"
#include "tool/base/text.h"
#include "tool/base/version.h"
#include "tool/model/agent.h"
#include "tool/run/model_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace agentic {
namespace {

/// Returns the given agents, else those of the resumed run, else the project's.
Result<std::vector<std::string>> settledAgents(const OptimizeOptions &options, const Manifest &manifest,
                                               const RunRecord *before) {
  const std::vector<std::string> given = agentNames(options.agent.empty() ? manifest.agent : options.agent);
  if (!before)
    return given;
  const std::vector<std::string> then = namesOf(before->config);
  const bool isSame = agentLabels(given) == agentLabels(then);
  if (options.agent.empty() && (!before->config.agentIsCut || isSame))
    return before->config.agentIsCut ? given : then;
  if (options.agent.empty())
    return userError("the run's agent " + before->config.agent + " is journaled without its arguments",
                     "give --agent again, as it was");
  if (!isSame && (given.size() > 1 || then.size() > 1))
    return userError("the run is of the agents " + before->config.agent + ", which its journal counts turns of",
                     "give the same ones in the same order, or start a new run without --resume");
  return given;
}

/// Options that are not given keep their old values. A run from before there was a total has none, and maxSeconds
/// bounds all of it, unless a total is given now.
void settleTime(RunConfig &config, const OptimizeOptions &options, const Manifest &manifest, const RunRecord *before) {
  const BudgetLimits limits = settledLimits(options, manifest);
  config.maxSeconds = before && !options.time.searchSeconds ? before->config.maxSeconds : limits.searchSeconds;
  config.maxTotalSeconds = limits.totalSeconds;
  if (!before || options.time.totalSeconds)
    return;
  const std::optional<double> then = before->config.maxTotalSeconds;
  if (!then || !options.time.searchSeconds)
    config.maxTotalSeconds = then;
}

} // namespace

BudgetLimits settledLimits(const OptimizeOptions &options, const Manifest &manifest) {
  const bool isBuiltin = (options.agent.empty() ? manifest.agent : options.agent) == kBuiltinAgent;
  BudgetLimits limits;
  limits.searchSeconds = options.time.searchSeconds ? *options.time.searchSeconds
                         : manifest.maxSeconds > 0  ? manifest.maxSeconds
                         : isBuiltin                ? 180
                                                    : 0;
  // The project's total belongs to the project's search.
  limits.totalSeconds = options.time.totalSeconds ? *options.time.totalSeconds
                        : !options.time.searchSeconds && manifest.maxTotalSeconds > 0
                            ? manifest.maxTotalSeconds
                            : usualTotal(limits.searchSeconds);
  return limits;
}

Result<RunConfig> settleRun(const OptimizeOptions &options, const Manifest &manifest, const RunRecord *before) {
  RunConfig config = options.config;
  const auto names = TRY(settledAgents(options, manifest, before));
  config.agent = join(names, ",");
  config.agents = names.size() > 1 ? names : std::vector<std::string>();
  config.agentChoice = options.agentChoice ? *options.agentChoice : before ? before->config.agentChoice : "turn";
  if (options.seedWith)
    config.seedWith = *options.seedWith;
  else if (before)
    config.seedWith = before->config.seedWith;
  if (!config.seedWith.empty() && std::ranges::find(names, config.seedWith) != names.end())
    return userError("--seed-with builtin begins for other agents, and the built-in search is one of --agent " +
                         config.agent,
                     "leave one of them out");
  if (before && config.farm.empty()) {
    config.farm = before->config.farm;
    config.runsOnHosts = before->config.runsOnHosts;
  }
  if (before) {
    config.measuredOn = before->config.measuredOn;
    config.farmRun = before->config.farmRun;
  }
  config.cold = options.cold;
  config.shorten = config.shorten && (before ? before->config.shorten : manifest.shorten);
  const bool builtin = config.agent == kBuiltinAgent;
  config.maxIterations = options.maxIterations.value_or(builtin ? 0 : manifest.maxIterations);
  settleTime(config, options, manifest, before);
  const CommandSpending command = options.command ? *options.command : CommandSpending();
  config.model.budgetUsd = command.budgetUsd.value_or(manifest.budgetUsd);
  config.model.strategy = manifest.strategy;
  config.model.memory = manifest.memory;
  if (before)
    config.model = before->config.model;
  config.model.spentBeforeUsd = std::max(config.model.spentBeforeUsd, command.usd);
  config.model.unforeseenUsd = std::max(config.model.unforeseenUsd, command.unforeseenUsd);
  TRY(options.llm.settle(config.model));
  // The records of a run have their numbers.
  if (before && config.model.hypotheses != before->config.model.hypotheses)
    return userError(before->config.model.hypotheses.empty()
                         ? "the run began without hypotheses"
                         : "the run began with other hypotheses than those of " + *options.llm.hypothesesFile,
                     "leave --hypotheses out, or start a new run without --resume");
  if (config.model.rolesAreCut)
    return userError("the models of the run's roles are journaled without their arguments",
                     "give --role again, as it was");
  if (!(config.model.budgetUsd >= 0 && config.model.budgetUsd <= kMostBudgetUsd))
    return userError(fmt::format("{} USD is no budget", config.model.budgetUsd),
                     "set AGENTIC_KERNEL_BUDGET_USD, or --budget-usd, to a number from 0 to 1000000");
  return config;
}

void continueAsBefore(RunConfig &config, const RunConfig &then, const OptimizeOptions &options) {
  config.seed = then.seed;
  config.startRecipes = then.startRecipes;
  config.startFrom = then.startFrom;
  config.recalled = then.recalled;
  config.cold = then.cold;
  if (!options.maxIterations)
    config.maxIterations = then.maxIterations;
}

RunIdentity identityOf(const Evaluator &evaluator, const RunConfig &config) {
  const KernelSpec &spec = evaluator.spec();
  HashBuilder kernel, flags;
  kernel.add(spec.text);
  for (const Fragment &fragment : spec.closure)
    kernel.add(fragment.text);
  for (const std::string &argument : spec.parseArguments)
    flags.add(argument);
  if (!config.optimization.empty())
    flags.add("optimization " + config.optimization);
  const Compiler &compiler = evaluator.compiler();
  return {.kernel = spec.kernel,
          .level = std::string(evaluator.level().name),
          .family = familyName(compiler.family),
          .kernelKey = kernel.hex(),
          .flagsKey = flags.hex(),
          .compilerKey = compiler.path + " " + compiler.version,
          .policyKey = spec.policy.hash};
}

RunDescription describeRun(const Evaluator &evaluator) {
  const MachineFacts machine = machineFacts(evaluator);
  std::vector<std::string> caches;
  for (const auto &[name, bytes] : machine.caches)
    caches.push_back(fmt::format("{} {:g} KiB", name, bytes / 1024));
  return {.environment = {{"CPU", machine.cpu},
                          {"caches", join(caches, ", ")},
                          {"level", std::string(evaluator.level().name)},
                          {"compiler", machine.compiler},
                          {"flags", machine.flags},
                          {"agentic-kernel", kVersion}},
          .baselineNs = evaluator.calibration().baselineNs};
}

} // namespace agentic
