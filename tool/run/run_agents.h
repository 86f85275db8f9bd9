// The agents of one run: finds them and asks for their facts before anything is spent, makes them when the run has its
// journal.
#pragma once

#include "tool/agent/agent.h"
#include "tool/model/manifest.h"
#include "tool/model/role.h"
#include "tool/model/run_config.h"
#include "tool/run/model_setup.h"
#include "tool/search/ask_strategy.h"
#include "tool/search/journal.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// The totals of one of several agents.
struct AgentTotals {
  std::string label;
  std::optional<CallTotals> calls; ///< totals of an agent that asks a model
};

/// Owns models of the agents; must outlive the agent that it makes.
class RunAgents {
public:
  RunAgents() = default;
  RunAgents(const RunAgents &) = delete;
  RunAgents &operator=(const RunAgents &) = delete;

  /// Opens the agents of `config`; reports problems and asks for consent to pay. Errors: the first agent's that has
  /// one.
  Result<void> open(Messages &messages, const Surroundings &surroundings, const RunConfig &config,
                    const LlmOptions &options, const Manifest &manifest);

  /// Callbacks of the run that the agents belong to.
  struct Hooks {
    std::string runDirectory;
    const std::atomic<bool> *cancelled = nullptr;
    std::function<void(const std::string &what)> progress, note, warn; ///< as in AskOptions
    std::function<void(const std::string &why)> stopped;               ///< one of several
  };
  /// Returns one agent, or a set of them under one budget. An agent's own records are beside the journal; those of
  /// several in folders of their own.
  Result<std::unique_ptr<Agent>> start(const RunConfig &config, Evaluator &evaluator, const Surroundings &surroundings,
                                       Hooks hooks);

  /// Asks the researcher of the first agent, alone and under the whole budget: LlmAgent::research(). Its records are in
  /// hooks.runDirectory. `insight`: ResearchSettings::insight.
  Result<std::vector<Hypothesis>> research(const RunConfig &config, Evaluator &evaluator,
                                           const Surroundings &surroundings, const Hooks &hooks, Insight insight);

  std::optional<CallTotals> totals() const; ///< sum over all; nullopt if none asks a model
  bool isBilled() const;                    ///< a provider bills for one of them
  bool asksModels() const;                  ///< one of them does
  std::vector<AgentTotals> each() const;    ///< empty before start

private:
  struct One {
    std::string name, label;
    std::optional<ReadyModel> model;
    std::map<Role, ReadyModel> roles; ///< of those that have a model of their own
    bool isBilled = false;
    LlmAgent *asking = nullptr; ///< once started, of an agent that asks a model
  };
  Result<std::unique_ptr<Agent>> startOne(std::size_t n, const RunConfig &config, Evaluator &evaluator,
                                          const Surroundings &surroundings, const Hooks &hooks);
  AgentSettings modelSettings(One &one, const RunConfig &config, Evaluator &evaluator, const Surroundings &surroundings,
                              const Hooks &hooks) const;
  Result<void> openRoles(One &one, const RunConfig &config, const LlmOptions &options, const Manifest &manifest,
                         const Surroundings &surroundings) const;
  std::unique_ptr<Agent> withStrategy(std::size_t n, std::unique_ptr<Agent> agent, const AskStrategy &strategy) const;
  double spentBesides(std::size_t n) const;
  std::vector<One> agents_;
  std::shared_ptr<CallsInFlight> inFlight_; ///< of all agents
  std::unique_ptr<Agent> researcher_;       ///< of research(): agents_ points to it
  double researchShare_ = kResearchShare;
  std::optional<Insight> insight_; ///< of research()
  bool isSeeded_ = false;
};

/// The contribution of one agent.
struct AgentResult {
  AgentTotals totals;
  int turns = 0, attempts = 0;
};

/// The time at which the winner was evaluated.
struct Peak {
  int iteration = 0;  ///< from 1
  double seconds = 0; ///< time of the run, preparation included
};

/// Returns the contributions, in the agents' order.
std::vector<AgentResult> resultsOf(const RunAgents &agents, const RunConfig &config, const RunRecord &record);

/// Returns when this candidate was evaluated.
std::optional<Peak> peakOf(const RunRecord &record, const std::string &candidate);

/// Returns the best candidate that was measured: "1.01x [0.99, 1.03]  c0123 (builtin: ...): not faster". Empty: none
/// was.
std::string nearestTo(const RunRecord &record);

/// Returns the records' name of the agent that made this candidate.
std::string agentOf(const RunConfig &config, const RunRecord &record, const std::string &candidate);

/// Returns the agents that a configuration names.
std::vector<std::string> namesOf(const RunConfig &config);

/// Returns whether the journal names the agent of each attempt: there are several, the built-in search around them
/// included.
bool isOfSeveral(const RunConfig &config);

/// Returns the settings for a journal: without the parts of the agents' names that may be secret.
RunConfig journaled(RunConfig config);

} // namespace agentic
