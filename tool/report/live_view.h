// The view of a run for a watching user, as lines of text. Pure: cli/ draws them.
#pragma once

#include "tool/model/measurement.h"
#include "tool/model/search_branch.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace agentic {

/// The costs of an agent that asks a model.
struct LiveCost {
  std::int64_t inputTokens = 0, outputTokens = 0;
  int calls = 0;
  double usd = 0;
  std::optional<double> budgetUsd; ///< nullopt: no call is billed
};

/// What a host of a farm did.
struct LiveHost {
  int measured = 0;      ///< candidates
  std::string candidate; ///< the last of them
};

/// A run at one moment. Texts are as they were found: any may be hostile.
struct LiveState {
  std::string kernel, agent, target; ///< target: "x86-64-v4 / clang"
  int iteration = 0, maxIterations = 0;
  std::string stage;             ///< "compile", "asking the model"; empty = nothing is known yet
  std::string candidate, origin; ///< the candidate in work; or other work, as `origin` alone
  std::optional<Speedup> best;   ///< speedup of the incumbent over the baseline; nullopt = the baseline
  std::string bestCandidate;
  std::vector<double> bestSoFar;       ///< ratio after each iteration
  std::map<std::string, int> rejected; ///< by stage
  std::vector<SearchBranch> branches;
  std::map<std::string, LiveHost> hosts; ///< by name; empty: this machine measures
  std::optional<LiveCost> cost;
  double secondsUsed = 0;
  std::optional<double> secondsLeft;
  bool isTimed = true;
  bool isStopping = false; ///< the user asked for the end
};

struct LiveSize {
  std::size_t columns = 80, rows = 24;
  bool hasColor = false, hasUnicode = true;
};

/// One line: its text takes `columns` without its colours.
struct LiveLine {
  std::string text;
  std::size_t columns = 0;
};

/// Returns at most rows - 1 lines, each of at most columns - 1: neither wraps nor scrolls. Where there is little room,
/// the least important parts go first.
std::vector<LiveLine> liveLines(const LiveState &state, const LiveSize &size);

/// Draws the last `columns` values as bars, from the smallest to the largest of them.
std::string sparkline(const std::vector<double> &values, std::size_t columns, bool hasUnicode = true);

} // namespace agentic
