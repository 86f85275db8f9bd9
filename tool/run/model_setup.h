// Language models, from an agent's name to what the agent needs of one.
#pragma once

#include "tool/agent/agent.h"
#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/llm/cassette.h"
#include "tool/model/manifest.h"
#include "tool/model/run_config.h"
#include "tool/run/llm_options.h"
#include "tool/run/messages.h"
#include "tool/run/surroundings.h"

#include <memory>
#include <string>
#include <vector>

namespace agentic {

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
void warnOfUnused(Messages &messages, const std::vector<std::string> &agents, const LlmOptions &options);

/// By an agent's name. Errors: there is none of that name, it cannot be reached.
Result<ReadyModel> openModel(const std::string &name, const LlmOptions &options, const ModelConfig &config,
                             const std::string &buildDir, const Surroundings &surroundings);

/// The first run in a project that pays a host asks once for all such hosts together; `yes` answers
/// before. Errors: the answer is no, or nobody can be asked.
Result<void> consentToPay(Messages &messages, const std::vector<const ReadyModel *> &models, const LlmOptions &options,
                          const ModelConfig &config, const Manifest &manifest, const Surroundings &surroundings);

/// What the machine tells a model.
MachineFacts machineFacts(const Evaluator &evaluator);

/// Everything an agent needs but its journal's folder and its progress.
AgentSettings agentSettings(const std::string &name, ReadyModel model, const RunConfig &config,
                            const Evaluator &evaluator, const Surroundings &surroundings);

} // namespace agentic
