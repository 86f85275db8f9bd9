// The options of agents that ask a language model, and what is made of them.
#pragma once

#include "tool/agent/agent.h"
#include "tool/cli/console.h"
#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/llm/cassette.h"
#include "tool/model/manifest.h"
#include "tool/model/run_config.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace agentic {

/// As given; what was not is the project's, the resumed run's or the default.
struct LlmOptions {
  std::optional<double> budgetUsd, watts, usdPerKwh, temperature, callSeconds;
  std::optional<int> maxFailures, maxOutputTokens;
  std::optional<std::int64_t> contextTokens;
  std::optional<std::string> history, protocol, promptDir, hintFile, stopFile, effort, feedback;
  std::string recordFile, pricesFile;
  bool blind = false, allowUnknownPrice = false, yes = false;
  int budgets = 1; ///< agents of this command that have a budget each: for the question whether to pay

  void declare(CLI::App &app);

  /// The names of those that were given.
  std::vector<std::string> given() const;

  /// What was given, over `config`. Errors: a hint or prices that cannot be read.
  Result<void> settle(ModelConfig &config) const;
};

/// A model, found and asked for its facts.
struct ReadyModel {
  std::unique_ptr<ChatModel> model;
  ModelFacts facts;
  Prices prices;
  std::string label;
  std::shared_ptr<Recorder> recorder; ///< of --record; may be null
  bool isPaid = false;                ///< somebody bills for it
};

/// Says which options were given for nothing, since none of these agents asks a model.
void warnOfUnused(Console &console, const std::vector<std::string> &agents, const LlmOptions &options);

/// By an agent's name. Errors: there is none of that name, it cannot be reached.
Result<ReadyModel> openModel(const std::string &name, const LlmOptions &options, const ModelConfig &config,
                             const std::string &buildDir);

/// The first run in a project that pays a host asks once, on a terminal, for all such hosts together; `yes` answers
/// before. Errors: the answer is no, or nobody can be asked.
Result<void> consentToPay(Console &console, const std::vector<const ReadyModel *> &models, const LlmOptions &options,
                          const ModelConfig &config, const Manifest &manifest);

/// What the machine tells a model.
MachineFacts machineFacts(const Evaluator &evaluator);

/// Everything an agent needs but its journal's folder and its progress.
AgentSettings agentSettings(const std::string &name, ReadyModel model, const RunConfig &config,
                            const Evaluator &evaluator);

} // namespace agentic
