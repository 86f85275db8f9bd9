#include "tool/run/run_configuration.h"

#include "tool/agent/agent.h"
#include "tool/base/files.h"
#include "tool/base/money.h"
#include "tool/base/text.h"
#include "tool/run/run_agents.h"

#include <fmt/format.h>

#include <algorithm>

namespace agentic {
namespace {

bool asksModels(const RunConfig &config) {
  return std::ranges::any_of(shownAgents(config), [](const std::string &name) { return name != kBuiltinAgent; });
}

} // namespace

/// Returns "fixer, planner (openai:gpt-5)".
static std::string shownRoles(const ModelConfig &model) {
  std::string text;
  for (const auto &[role, name] : model.roles)
    text += (text.empty() ? "" : ", ") + role + (name.empty() ? "" : " (" + shownAgent(name) + ")");
  return text;
}

double leftBudget(const ModelConfig &model) {
  return std::max(0.0, model.budgetUsd - model.spentBeforeUsd);
}

std::string shownAgent(const std::string &name) {
  return asksModel(name) ? agentLabel(name) : name;
}

std::vector<std::string> shownAgents(const RunConfig &config) {
  std::vector<std::string> names;
  for (const std::string &name : namesOf(config))
    names.push_back(shownAgent(name));
  return names;
}

std::vector<std::pair<std::string, std::string>> shownConfiguration(const RunConfig &config) {
  std::vector<std::pair<std::string, std::string>> shown;
  auto add = [&](const char *title, const std::string &value) { shown.emplace_back(title, value); };
  add("agent", join(shownAgents(config), ", "));
  add("iterations", config.maxIterations > 0 ? std::to_string(config.maxIterations) : "unlimited");
  const auto limit = [](double seconds) { return seconds > 0 ? fmt::format("{:g}", seconds) : "unlimited"; };
  add(config.maxTotalSeconds ? "seconds of search" : "seconds", limit(config.maxSeconds));
  if (config.maxTotalSeconds)
    add("seconds in all", limit(*config.maxTotalSeconds));
  add("seed", std::to_string(config.seed));
  add("smallest gain", fmt::format("{:g} %", config.threshold * 100));
  if (!config.farm.empty())
    add(config.runsOnHosts ? "run on" : "measured on", config.farm + " (" + config.measuredOn + ")");
  if (!config.shorten)
    add("shortening", "off");
  if (!config.adequacy.empty())
    add("mutants noticed", config.adequacy);
  if (!config.seedWith.empty())
    add("seeded and polished with", config.seedWith);
  if (!config.optimization.empty())
    add("optimization", config.optimization);
  if (asksModels(config)) {
    add("budget", usdText(leftBudget(config.model)));
    add("strategy", config.model.strategy);
    if (!config.model.roles.empty())
      add("roles", shownRoles(config.model));
    if (config.model.parallel > 1)
      add("calls in flight", std::to_string(config.model.parallel));
    add("history", config.model.history);
    add("protocol", config.model.protocol);
    if (!config.recalled.empty())
      add("told of earlier runs", fmt::format("{} changes", config.recalled.size()));
  }
  return shown;
}

} // namespace agentic
