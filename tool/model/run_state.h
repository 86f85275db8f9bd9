// The part of a run that an agent may know: a fold over the journal (search/journal.h makes it).
#pragma once

#include "tool/model/ask.h"
#include "tool/model/candidate.h"
#include "tool/model/evaluation.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/role.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace agentic {

struct Attempt {
  Candidate candidate;
  Evaluation evaluation;
  std::string agent = {};  ///< label of the agent that proposed it; empty: no agent did (a checked-in variant)
  bool becameBest = false; ///< it was the incumbent from then on
};

/// The record of one agent of several so far.
struct AgentStanding {
  int turns = 0;       ///< proposals, those without a candidate included
  double usd = 0;      ///< spent
  double gain = 0;     ///< sum of ln(speedup of a new best / of the best before it)
  std::set<int> calls; ///< calls of its model whose answers were proposed
};

/// One setting of a candidate's open constants (source/tunables.h): index of the value of each.
struct TriedSetting {
  std::vector<std::size_t> setting;
  Evaluation evaluation;
};

/// Returns whether the attempt is of the candidate with this id, or of the best setting of its open constants.
inline bool isOf(const Attempt &attempt, const std::string &candidate) {
  return attempt.candidate.id == candidate ||
         (!attempt.evaluation.tuning.empty() && attempt.candidate.parent == candidate);
}

struct RunState {
  KernelSpec spec;
  std::string level;  ///< "x86-64-v4"
  std::string family; ///< "clang" | "gcc"
  std::uint64_t seed = 1;
  std::vector<Attempt> attempts;        ///< in order
  std::optional<std::size_t> incumbent; ///< index into attempts; none: the baseline leads
  double bestRatio = 1;                 ///< speedup of the incumbent over the baseline
  double baselineNs = 0;
  /// Values that integer parameters have in the benchmarks: hints. Empty if they are not known.
  std::map<std::string, std::vector<std::int64_t>> observed;
  std::vector<std::string> startRecipes; ///< RunConfig::startRecipes
  std::string startText;                 ///< text of the candidate RunConfig::startFrom; empty: the baseline
  double secondsUsed = 0, secondsLeft = 0;
  int iterations = 0;                             ///< used so far
  std::optional<int> iterationsLeft;              ///< nullopt = unlimited
  std::set<int> calls;                            ///< calls of a model whose answers were proposed (Proposal::call)
  std::map<std::string, AgentStanding> standings; ///< by the agents' labels
  std::string lastAgent;                          ///< label of the agent that proposed last; empty = none yet
  bool isTimed = true;                            ///< false: candidates are only tested, nothing is measured
  std::vector<Asked> asked = {};                  ///< what a strategy asked for so far, with what came of it
  Ask ask = {};                                   ///< what is asked for now
  std::vector<Opinion> judged = {};               ///< what judges said so far
  std::vector<Summary> summaries = {};            ///< what summarizers said so far
  std::size_t inFlight = 0;                       ///< proposals that are being made beside the one that is asked for
  std::vector<std::string> waiting = {};          ///< ids of candidates that were proposed and have no verdict yet

  /// Returns whether outcomes are missing that the one who proposes next might wait for.
  bool isAhead() const { return inFlight > 0 || !waiting.empty(); }
  /// Returns whether the candidate with this id was proposed and has no verdict yet.
  bool isWaiting(const std::string &candidate) const { return std::ranges::find(waiting, candidate) != waiting.end(); }
};

/// Returns the incumbent of a RunState or a RunRecord; nullptr while the baseline leads.
template <class State> const Attempt *incumbentOf(const State &state) {
  return state.incumbent && *state.incumbent < state.attempts.size() ? &state.attempts[*state.incumbent] : nullptr;
}

/// Returns its measured ratio to the baseline; 1 while the baseline leads.
template <class State> double bestRatioOf(const State &state) {
  const Attempt *attempt = incumbentOf(state);
  return attempt && attempt->evaluation.measurement ? attempt->evaluation.measurement->speedup.ratio : 1;
}

/// Returns the index of the attempt of the candidate with this id, or of the best setting of its open constants.
inline std::optional<std::size_t> attemptOf(std::span<const Attempt> attempts, const std::string &candidate) {
  for (std::size_t i = 0; i < attempts.size(); ++i)
    if (isOf(attempts[i], candidate))
      return i;
  return std::nullopt;
}
inline std::optional<std::size_t> attemptOf(const RunState &state, const std::string &candidate) {
  return attemptOf(state.attempts, candidate);
}

} // namespace agentic
