#include "tool/cli/run_configuration.h"

#include "tool/agent/agent.h"
#include "tool/base/files.h"
#include "tool/base/money.h"
#include "tool/base/text.h"
#include "tool/cli/common.h"
#include "tool/cli/run_agents.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic {
namespace {

std::vector<std::string> shownAgents(const RunConfig &config) {
  std::vector<std::string> names;
  for (const std::string &name : namesOf(config))
    names.push_back(shownAgent(name));
  return names;
}

bool asksModels(const RunConfig &config) {
  return std::ranges::any_of(shownAgents(config), [](const std::string &name) { return name != kBuiltinAgent; });
}

} // namespace

std::string shownAgent(const std::string &name) {
  return asksModel(name) ? agentLabel(name) : name;
}

std::vector<std::pair<std::string, std::string>> shownConfiguration(const RunConfig &config) {
  std::vector<std::pair<std::string, std::string>> shown;
  auto add = [&](const char *title, const std::string &value) { shown.emplace_back(title, value); };
  add("agent", join(shownAgents(config), ", "));
  add("iterations", config.maxIterations > 0 ? std::to_string(config.maxIterations) : "unlimited");
  add("seconds", config.maxSeconds > 0 ? fmt::format("{:g}", config.maxSeconds) : "unlimited");
  add("seed", std::to_string(config.seed));
  add("smallest gain", fmt::format("{:g} %", config.threshold * 100));
  if (!config.adequacy.empty())
    add("mutants noticed", config.adequacy);
  if (!config.seedWith.empty())
    add("seeded and polished with", config.seedWith);
  if (!config.optimization.empty())
    add("optimization", config.optimization);
  if (asksModels(config)) {
    add("budget", usdText(config.model.budgetUsd));
    add("history", config.model.history);
    add("protocol", config.model.protocol);
  }
  return shown;
}

std::string commandAgain(const RunRecord &record, const std::string &directory) {
  const RunConfig &config = record.config;
  std::string command = "agentic-kernel optimize --build-dir " +
                        shellQuoted(fs::path(directory).parent_path().parent_path().parent_path().string()) +
                        " --kernel " + shellQuoted(record.identity.kernel) + " --level " +
                        shellQuoted(record.identity.level) + " --family " + shellQuoted(record.identity.family) +
                        " --agent " + shellQuoted(join(shownAgents(config), ",")) +
                        fmt::format(" --seed {} --max-iterations {} --max-seconds {:g}", config.seed,
                                    config.maxIterations, config.maxSeconds);
  if (asksModels(config))
    command += fmt::format(" --budget-usd {:g} --history {} --protocol {}", config.model.budgetUsd,
                           shellQuoted(config.model.history), shellQuoted(config.model.protocol));
  if (!config.seedWith.empty())
    command += " --seed-with " + shellQuoted(config.seedWith);
  if (!config.optimization.empty())
    command += " --optimization " + shellQuoted(config.optimization);
  if (config.cold)
    command += " --cold";
  return command;
}

} // namespace agentic
