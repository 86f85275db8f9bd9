// Sets up language models: from an agent's name to everything that the agent needs of its model.
#pragma once

#include "tool/agent/agent.h"
#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/llm/cassette.h"
#include "tool/model/manifest.h"
#include "tool/model/role.h"
#include "tool/model/run_config.h"
#include "tool/run/llm_options.h"
#include "tool/run/messages.h"
#include "tool/run/surroundings.h"

#include <memory>
#include <string>
#include <vector>

namespace agentic {

/// A model that was found and whose facts are known.
struct ReadyModel {
  std::unique_ptr<ChatModel> model;
  ModelFacts facts;
  Prices prices;
  std::string label;
  std::shared_ptr<Recorder> recorder; ///< recorder of --record; may be null
  bool isPaid = false;                ///< a provider bills for it
};

/// Warns of the given options that have no effect, since none of these agents asks a model.
void warnOfUnused(Messages &messages, const std::vector<std::string> &agents, const LlmOptions &options);

/// Opens a model by an agent's name. Errors: there is none of that name, it cannot be reached.
Result<ReadyModel> openModel(const std::string &name, const LlmOptions &options, const ModelConfig &config,
                             const std::string &buildDir, const Surroundings &surroundings);

/// Asks for consent once, for all paid hosts together, in the first run of a project that pays one; `yes` answers in
/// advance. Errors: the answer is no, or nobody can be asked.
Result<void> consentToPay(Messages &messages, const std::vector<const ReadyModel *> &models, const LlmOptions &options,
                          const ModelConfig &config, const Manifest &manifest, const Surroundings &surroundings);

/// Returns the facts about the machine for a model.
MachineFacts machineFacts(const Evaluator &evaluator);

/// Returns the seat of a role whose model this is.
RoleSeat roleSeat(Role role, ReadyModel model, const RunConfig &config);

/// Returns everything that an agent needs but its journal's folder and its progress.
AgentSettings agentSettings(const std::string &name, ReadyModel model, const RunConfig &config,
                            const Evaluator &evaluator, const Surroundings &surroundings);

} // namespace agentic
