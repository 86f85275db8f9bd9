// One kernel's optimize run from preparation through search and confirmation to the write-back. `optimize` and `suite`
// both use it, and report the result themselves.
#pragma once

#include "tool/model/run_config.h"
#include "tool/run/command_spending.h"
#include "tool/run/llm_options.h"
#include "tool/run/outside_agent.h"
#include "tool/run/run_agents.h"
#include "tool/run/run_budget.h"
#include "tool/run/run_view.h"
#include "tool/run/stage_times.h"
#include "tool/run/surroundings.h"
#include "tool/run/target_options.h"
#include "tool/search/optimize.h"
#include "tool/variants/write_back.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// Wall time in seconds, as given; 0 = unlimited.
struct TimeOptions {
  std::optional<double> searchSeconds, totalSeconds;
};

struct OptimizeOptions {
  TargetOptions target;
  RunConfig config;
  std::string agent;                ///< empty = the manifest's
  std::optional<int> maxIterations; ///< 0 = unlimited
  TimeOptions time;
  bool cold = false;    ///< search as if no variant were checked in and nothing were remembered
  LlmOptions llm;       ///< options of agents that ask a model
  std::string seedFrom; ///< file of a candidate that the built-in search starts from instead of the baseline
  std::optional<std::string> agentChoice; ///< RunConfig::agentChoice
  std::optional<std::string> seedWith;    ///< RunConfig::seedWith
  std::string runsDir;                    ///< folder of the run's journal; empty = the tree's runs
  CommandSpending *command = nullptr;     ///< nullptr: the budget is this run's alone
  OutsideAgent *outside = nullptr;        ///< proposes in the place of `agent`; outlives the run
};

/// The result of a run.
struct OptimizedKernel {
  std::string kernel;
  std::unique_ptr<RunBudget> budget;      ///< the evaluator watches its flag
  std::unique_ptr<Withdrawal> withdrawal; ///< or this one's, if the agent is outside
  std::unique_ptr<Evaluator> evaluator;   ///< nullptr if preparation failed
  RunConfig config;                       ///< settings with the project's defaults
  std::string runDirectory;               ///< empty if there was no search
  RunOutcome outcome;
  WriteBackResult written;
  std::optional<CallTotals> calls;         ///< sum over all agents that ask a model
  std::vector<AgentResult> agents;         ///< in their order
  std::map<std::string, CallTotals> roles; ///< of all agents; empty without --role
  std::optional<Peak> peak;                ///< peak of the winner
  std::string nearest;                     ///< of a search without a winner: its best candidate's ratio and origin
  std::vector<std::string> limits;         ///< what bounds the baseline, one sentence each; for people
  StageTimes stageTimes;                   ///< of this process
  double wallSeconds = 0;                  ///< time of the run, its earlier processes included

  bool isClaimed() const { return !written.claim.benchmarks.empty(); }
  /// Returns the winner's measurement against the baseline: as it ships if it was written back, else as confirmed.
  /// nullptr = no winner.
  const Measurement *measurement() const;
  /// Returns the baseline's time beside the winner's; without a winner, as calibrated.
  double baselineNs() const { return measurement() ? measurement()->referenceNs : outcome.baselineNs; }
};

/// Fills `run` as far as it gets, also when an error ends it. An interrupted search is no error: outcome.reason says
/// so.
Result<void> optimizeKernel(RunView &view, const Surroundings &surroundings, const OptimizeOptions &options,
                            OptimizedKernel &run);

} // namespace agentic
