// Validated settings of one run of the loop. Filled by `cli`, read by everything else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// How a run speaks to a language model, and what that may cost. Empty strings and nullopt: the default.
struct ModelConfig {
  double budgetUsd = 5;            ///< of the whole command
  double spentBeforeUsd = 0;       ///< out of it, by earlier runs of the same command
  double unforeseenUsd = 0;        ///< CallTotals::unforeseenUsd of those: what a program may cost before it says so
  int maxFailures = 20;            ///< in a row: candidates that are rejected, replies without one; 0 = unlimited
  std::string history = "compact"; ///< "full" | "compact" | "best"
  std::string protocol = "text";   ///< "text" | "tools"
  std::string promptDir;           ///< absolute; overrides the tool's own prompts, file by file
  std::string hint;                ///< the user's advice, as text
  bool blind = false;              ///< the model is told nothing of the machine and of the benchmark's shapes
  std::int64_t contextTokens = 0;  ///< the user's word for the model's context; 0 = ask
  std::string stopFile;            ///< absolute; the run ends when it exists
  bool allowUnknownPrice = false;
  std::string prices;              ///< the user's, over the tool's table: the text of a file in its format
  double watts = 0, usdPerKwh = 0; ///< of a local model's machine; 0 = not known
  int maxOutputTokens = 16384;     ///< of one reply, reasoning included
  double callSeconds = 0;          ///< of one call; 0 = not given
  std::optional<double> temperature;
  std::optional<std::string> effort;
  std::string feedback; ///< parts of a measured candidate's insight that the model hears: "remarks,mca"

  /// Of a program, and the worst case of electricity.
  double longestCall() const { return callSeconds > 0 ? callSeconds : 1800; }
};

struct RunConfig {
  std::string agent = "builtin";
  bool agentIsCut = false;          ///< in a journal: `agent` stands there without what may be secret in it
  std::vector<std::string> agents;  ///< if there are several; empty: `agent` alone
  std::string agentChoice = "turn"; ///< whose turn it is: "turn" | "gain" (per dollar)
  std::string seedWith;             ///< "builtin": it begins and polishes the best (search/seeding.h); empty: nobody
  std::string optimization;         ///< "O0": everything is compiled with this level instead; empty: as configured
  int maxIterations = 0;            ///< 0 = unlimited
  double maxSeconds = 180;          ///< wall time of the search; 0 = unlimited
  /// Wall time of the whole run, preparation, confirmation and write-back included; 0 = unlimited. nullopt: of a
  /// journal from before there was one, in which maxSeconds bounds the whole run (search/budget_plan.h).
  std::optional<double> maxTotalSeconds;
  std::uint64_t seed = 1;
  bool write = true;
  std::string patchFile; ///< write a patch there instead of the files
  bool resume = false;
  bool allowUnoptimized = false;
  double threshold = 0.02; ///< smallest gain that counts
  /// Recipes that won on kernels of this shape, best first: the built-in search starts with them. Settled when the run
  /// begins and journaled with it, so that what is remembered later does not change its path.
  std::vector<std::string> startRecipes;
  bool cold = false;     ///< neither checked-in variants nor what is remembered take part
  std::string adequacy;  ///< how many mutants of the baseline the tests noticed: "22/24"; empty: not known
  std::string startFrom; ///< id of the candidate (--seed-from) that the built-in search transforms; empty: the baseline
  ModelConfig model;     ///< of agents that ask one
};

} // namespace agentic
