#include "tool/run/llm_options.h"

#include "tool/agent/hypotheses.h"
#include "tool/agent/role_models.h"
#include "tool/base/files.h"
#include "tool/base/text.h"
#include "tool/llm/prices.h"
#include "tool/model/role.h"
#include "tool/run/run_memory.h"
#include "tool/search/ask_strategy.h"

#include <fmt/format.h>

#include <utility>

namespace agentic {
namespace {

constexpr std::size_t kMostHint = 32u << 10, kMostPrices = 64u << 10;

template <class T> void take(const std::optional<T> &given, T &value) {
  if (given)
    value = *given;
}

/// Their text goes into the run's record, so that the budget means the same when the run is resumed.
Result<void> settlePrices(const std::string &file, ModelConfig &config) {
  auto text = TRY(readFile(file));
  if (text.size() > kMostPrices)
    return userError("the prices in " + file + " are larger than 64 KiB", "keep the models that you use");
  TRY(PriceTable::parse(text, file));
  config.prices = std::move(text);
  return {};
}

/// Only what is read of the file is kept: its other words are for people.
Result<void> settleHypotheses(const std::string &file, ModelConfig &config) {
  const std::string written = TRY(readFile(file));
  const auto all = TRY(readHypotheses(written, file));
  config.hypotheses = hypothesesMarkdown("", all);
  return {};
}

/// Hypotheses take the place of a researcher, and are carried out one after the other.
Result<void> checkHypotheses(const ModelConfig &config) {
  if (config.hypotheses.empty())
    return {};
  if (config.roles.contains(std::string(roleName(Role::Researcher))))
    return userError("--hypotheses and a researcher are two sources of the same",
                     "begin a run where the model makes them (--research) or one that takes yours (--hypotheses)");
  if (config.parallel > 1)
    return userError(fmt::format("--parallel {} cannot be used with --hypotheses: they are carried out one after the "
                                 "other, so no more than one call is in flight",
                                 config.parallel),
                     "take --parallel 1, or leave --hypotheses out");
  return {};
}

} // namespace

std::string absolutePath(const std::string &path) {
  std::error_code ignored;
  return fs::absolute(path, ignored).lexically_normal().string();
}

std::vector<std::string> LlmOptions::given() const {
  const std::pair<const char *, bool> all[] = {{"--budget-usd", budgetUsd.has_value()},
                                               {"--max-failures", maxFailures.has_value()},
                                               {"--strategy", strategy.has_value()},
                                               {"--role", roles.has_value()},
                                               {"--research", research},
                                               {"--role-temperature", roleTemperatures.has_value()},
                                               {"--menu-dropout", menuDropouts.has_value()},
                                               {"--parallel", parallel.has_value()},
                                               {"--history", history.has_value()},
                                               {"--protocol", protocol.has_value()},
                                               {"--prompt-dir", promptDir.has_value()},
                                               {"--hint", hintFile.has_value()},
                                               {"--hypotheses", hypothesesFile.has_value()},
                                               {"--blind", blind},
                                               {"--record", !recordFile.empty()},
                                               {"--prices", !pricesFile.empty()},
                                               {"--stop-file", stopFile.has_value()},
                                               {"--context-tokens", contextTokens.has_value()},
                                               {"--allow-unknown-price", allowUnknownPrice},
                                               {"--watts", watts.has_value()},
                                               {"--price-per-kwh", usdPerKwh.has_value()},
                                               {"--temperature", temperature.has_value()},
                                               {"--feedback", feedback.has_value()},
                                               {"--effort", effort.has_value()},
                                               {"--max-output-tokens", maxOutputTokens.has_value()},
                                               {"--call-seconds", callSeconds.has_value()}};
  std::vector<std::string> names;
  for (const auto &[name, isGiven] : all)
    if (isGiven)
      names.emplace_back(name);
  return names;
}

Result<void> LlmOptions::settle(ModelConfig &config) const {
  take(budgetUsd, config.budgetUsd);
  take(watts, config.watts);
  take(usdPerKwh, config.usdPerKwh);
  take(callSeconds, config.callSeconds);
  take(maxFailures, config.maxFailures);
  take(feedback, config.feedback);
  take(maxOutputTokens, config.maxOutputTokens);
  take(contextTokens, config.contextTokens);
  take(parallel, config.parallel);
  take(strategy, config.strategy);
  TRY(parseAskStrategy(config.strategy));
  take(memory, config.memory);
  TRY(checkMemoryMode(config.memory));
  if (roles) {
    config.roles = TRY(parseRoles(*roles));
    config.rolesAreCut = false;
  }
  if (research)
    config.roles.try_emplace(std::string(roleName(Role::Researcher)));
  TRY(checkParallel(config.parallel, config.roles));
  if (hypothesesFile)
    TRY(settleHypotheses(*hypothesesFile, config));
  TRY(checkHypotheses(config));
  take(history, config.history);
  take(protocol, config.protocol);
  if (temperature)
    config.temperature = temperature;
  if (roleTemperatures)
    config.roleTemperatures = TRY(parseRoleTemperatures(*roleTemperatures));
  if (menuDropouts)
    config.menuDropouts = TRY(parseMenuDropouts(*menuDropouts));
  if (!config.menuDropouts.empty() && config.strategy.starts_with("linear"))
    return userError("--menu-dropout does nothing with the strategy linear, which is one conversation",
                     "leave it out, or give --strategy best-of, beam, tree or islands");
  if (effort)
    config.effort = effort;
  if (promptDir)
    config.promptDir = absolutePath(*promptDir);
  if (stopFile)
    config.stopFile = absolutePath(*stopFile);
  config.blind = config.blind || blind;
  config.allowUnknownPrice = config.allowUnknownPrice || allowUnknownPrice;
  if (hintFile) {
    auto hint = TRY(readFile(*hintFile));
    if (hint.size() > kMostHint)
      return userError("the advice in " + *hintFile + " is larger than 32 KiB",
                       "shorten it: it is sent with each call");
    config.hint = std::string(trim(hint));
  }
  return pricesFile.empty() ? Result<void>() : settlePrices(pricesFile, config);
}

} // namespace agentic
