// Validated settings of one run of the loop. `cli` fills them, everything else reads them.
#pragma once

#include "tool/model/memory_item.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// Settings for calls of a language model, and limits of their cost. Empty strings and nullopt: the default.
struct ModelConfig {
  double budgetUsd = 5;            ///< budget of the whole command
  double spentBeforeUsd = 0;       ///< part of the budget that earlier runs of the same command spent
  double unforeseenUsd = 0;        ///< CallTotals::unforeseenUsd of those runs: a program may cost as much unreported
  int maxFailures = 20;            ///< limit in a row: rejected candidates, replies without one; 0 = unlimited
  std::string history = "compact"; ///< "full" | "compact" | "best"
  std::string protocol = "text";   ///< "text" | "tools"
  std::string promptDir;           ///< absolute; overrides the tool's own prompts, file by file
  std::string hint;                ///< the user's advice, as text
  std::string hypotheses;          ///< carried out in place of a researcher's, as Markdown (agent/hypotheses.h)
  bool blind = false;              ///< the model is told nothing of the machine and of the benchmark's shapes
  std::int64_t contextTokens = 0;  ///< the model's context by the user's word; 0 = ask
  std::string stopFile;            ///< absolute; the run ends when it exists
  bool allowUnknownPrice = false;
  std::string prices;              ///< the user's prices, over the tool's table: the text of a file in its format
  double watts = 0, usdPerKwh = 0; ///< of the machine of a local model; 0 = not known
  int maxOutputTokens = 16384;     ///< limit of one reply, reasoning included
  double callSeconds = 0;          ///< time limit of one call; 0 = not given
  std::optional<double> temperature;
  std::optional<std::string> effort;
  std::string feedback;            ///< parts of a measured candidate's insight that the model hears: "remarks,mca"
  std::string strategy = "linear"; ///< decides what is asked next (search/ask_strategy.h)
  std::string memory = "off"; ///< "off" | "project" | "shared": what is learned from earlier runs and kept for later
  /// Roles beside the coder that are on, and the coder if it has a model of its own (model/role.h): the model of each,
  /// "" = the agent's. Empty: one model is asked for files, and for nothing else.
  std::map<std::string, std::string> roles;
  std::map<std::string, double>
      roleTemperatures; ///< of roles that have one of their own; the others have `temperature`
  std::map<std::string, double>
      menuDropouts;         ///< by role: share of the ideas that each question leaves out (agent/menu.h)
  bool rolesAreCut = false; ///< in a journal: stored without the parts of their names that may be secret
  int parallel = 1;         ///< calls of models in flight at most, those of all agents of a run together

  /// Returns the time limit of a program's call, also the worst case of a call's electricity.
  double longestCall() const { return callSeconds > 0 ? callSeconds : 1800; }

  /// Returns what is sent with the calls of this role.
  std::optional<double> temperatureOf(const std::string &role) const {
    const auto own = roleTemperatures.find(role);
    return own == roleTemperatures.end() ? temperature : own->second;
  }
};

struct RunConfig {
  std::string agent = "builtin";
  bool agentIsCut = false;          ///< in a journal: `agent` is stored without the parts that may be secret
  std::vector<std::string> agents;  ///< set if there are several; empty: `agent` alone
  std::string agentChoice = "turn"; ///< rule for the next turn: "turn" | "gain" (per dollar)
  std::string seedWith;             ///< "builtin": it begins and polishes the best (search/seeding.h); or empty
  std::string optimization;         ///< "O0": everything is compiled with this level instead; empty: as configured
  int maxIterations = 0;            ///< 0 = unlimited
  double maxSeconds = 180;          ///< wall time of the search; 0 = unlimited
  /// Wall time of the whole run, preparation, confirmation and write-back included; 0 = unlimited. nullopt: the journal
  /// predates this setting, and maxSeconds bounds the whole run (search/budget_plan.h).
  std::optional<double> maxTotalSeconds;
  std::uint64_t seed = 1;
  bool write = true;
  bool shorten = true;   ///< what contributes nothing to a winner is left out (search/shortening.h)
  std::string patchFile; ///< write a patch there instead of the files
  bool resume = false;
  bool allowUnoptimized = false;
  double threshold = 0.02; ///< smallest gain that counts
  /// Recipes that won on kernels of this shape, best first: the built-in search starts with them. Chosen when the run
  /// begins and journaled with it, so that what is remembered later does not change its path.
  std::vector<std::string> startRecipes;
  /// What the models of this run are told of earlier runs. Chosen and journaled like the recipes: a run that goes on
  /// reads it here, and never in the memory, so that it asks the same.
  std::vector<MemoryItem> recalled;
  bool cold = false;        ///< checked-in variants and remembered results take no part
  std::string adequacy;     ///< how many mutants of the baseline the tests noticed: "22/24"; empty: not known
  std::string farm;         ///< --farm; empty: this machine measures
  bool runsOnHosts = false; ///< all programs run on its hosts; else only those of levels that this machine lacks
  std::string farmRun;      ///< what the ids of this run's tasks on hosts begin with (evaluate/remote/run_tasks.h)
  std::string measuredOn;   ///< the kind of hosts whose ratios the run compares; empty: this machine
  std::string uncovered;    ///< what nothing runs of the baseline, one sentence; empty: everything ran, or not known
  std::string startFrom; ///< id of the candidate (--seed-from) that the built-in search transforms; empty: the baseline
  ModelConfig model;     ///< settings of agents that ask a model
};

} // namespace agentic
