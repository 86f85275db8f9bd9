#include "tool/cli/run_settings.h"

#include "tool/base/hash.h"
#include "tool/base/text.h"
#include "tool/base/version.h"
#include "tool/cli/llm_options.h"

#include <fmt/format.h>

namespace agentic {

Result<RunConfig> settleRun(const OptimizeOptions &options, const Manifest &manifest, const RunRecord *before) {
  RunConfig config = options.config;
  config.agent = !options.agent.empty() ? options.agent : before ? before->config.agent : manifest.agent;
  config.cold = options.cold;
  const bool builtin = config.agent == kBuiltinAgent;
  config.maxIterations = options.maxIterations >= 0 ? options.maxIterations : (builtin ? 0 : manifest.maxIterations);
  config.maxSeconds = before && options.maxSeconds < 0 ? before->config.maxSeconds : settledSeconds(options, manifest);
  config.model.budgetUsd = manifest.budgetUsd;
  if (before)
    config.model = before->config.model;
  if (auto settled = options.llm.settle(config.model); !settled)
    return std::unexpected(settled.error());
  return config;
}

RunIdentity identityOf(const Evaluator &evaluator) {
  const KernelSpec &spec = evaluator.spec();
  HashBuilder kernel, flags;
  kernel.add(spec.text);
  for (const Fragment &fragment : spec.closure)
    kernel.add(fragment.text);
  for (const std::string &argument : spec.parseArguments)
    flags.add(argument);
  const Compiler &compiler = evaluator.compiler();
  return {spec.kernel,
          std::string(evaluator.level().name),
          familyName(compiler.family),
          kernel.hex(),
          flags.hex(),
          compiler.path + " " + compiler.version,
          spec.policy.hash};
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
