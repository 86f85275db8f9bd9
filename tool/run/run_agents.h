// The agents of one run: found and asked for their facts before anything is spent, made when the run has its journal.
#pragma once

#include "tool/agent/agent.h"
#include "tool/model/manifest.h"
#include "tool/model/run_config.h"
#include "tool/run/model_setup.h"
#include "tool/search/journal.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// What one of several agents took.
struct AgentTotals {
  std::string label;
  std::optional<CallTotals> calls; ///< of one that asks a model
};

/// Must outlive the agent that it makes.
class RunAgents {
public:
  RunAgents() = default;
  RunAgents(const RunAgents &) = delete;
  RunAgents &operator=(const RunAgents &) = delete;

  /// Those of `config`. What is wrong with one is said now; money is asked for. Errors: the first of an agent.
  Result<void> open(Messages &messages, const Surroundings &surroundings, const RunConfig &config,
                    const LlmOptions &options, const Manifest &manifest);

  /// Of the run that the agents belong to.
  struct Hooks {
    std::string runDirectory;
    const std::atomic<bool> *cancelled = nullptr;
    std::function<void(const std::string &what)> progress, note, warn; ///< as of AskOptions
    std::function<void(const std::string &why)> stopped;               ///< one of several
  };
  /// One agent, or a set of them under one budget. An agent's own records lie beside the journal; those of several in
  /// folders of their own.
  Result<std::unique_ptr<Agent>> start(const RunConfig &config, const Evaluator &evaluator,
                                       const Surroundings &surroundings, Hooks hooks);

  std::optional<CallTotals> totals() const; ///< of all; nullopt if none asks a model
  bool isBilled() const;                    ///< somebody wants money for the answers of one
  bool asksModels() const;                  ///< one of them does
  std::vector<AgentTotals> each() const;    ///< empty before start

private:
  struct One {
    std::string name, label;
    std::optional<ReadyModel> model;
    bool isBilled = false;
    const LlmAgent *asking = nullptr; ///< once started, of one that asks a model
  };
  Result<std::unique_ptr<Agent>> startOne(std::size_t n, const RunConfig &config, const Evaluator &evaluator,
                                          const Surroundings &surroundings, const Hooks &hooks);
  double spentBesides(std::size_t n) const;
  std::vector<One> agents_;
  bool isSeeded_ = false;
};

/// What one agent contributed.
struct AgentResult {
  AgentTotals totals;
  int turns = 0, attempts = 0;
};

/// When the winner was evaluated.
struct Peak {
  int iteration = 0;  ///< from 1
  double seconds = 0; ///< of the run, preparation included
};

/// Who did what, in the agents' order.
std::vector<AgentResult> resultsOf(const RunAgents &agents, const RunConfig &config, const RunRecord &record);

/// When this candidate was evaluated.
std::optional<Peak> peakOf(const RunRecord &record, const std::string &candidate);

/// How records call the agent that made this candidate.
std::string agentOf(const RunConfig &config, const RunRecord &record, const std::string &candidate);

/// Those that a configuration names.
std::vector<std::string> namesOf(const RunConfig &config);

/// Whether the journal says of each attempt whose it is: there are several, the built-in search around them included.
bool isOfSeveral(const RunConfig &config);

/// As it may stand in a journal: without what may be secret in the agents' names.
RunConfig journaled(RunConfig config);

} // namespace agentic
