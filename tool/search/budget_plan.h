// How the wall time of a run is divided: what its search may take, and what is kept for what comes after it. Values in,
// values out; who looks at the clock is run/run_budget.h.
//
// `maxSeconds` bounds the search alone. Preparation, confirmation and write-back are bounded by the total, which counts
// all of the run, its earlier processes included. A run that was begun when maxSeconds bounded everything goes on so.
#pragma once

#include "tool/model/run_config.h"

#include <cstddef>
#include <string>

namespace agentic {

inline constexpr double kNoTimeLimit = 1e9; ///< seconds; as it is told to agents

/// 0 = no limit.
struct BudgetLimits {
  double searchSeconds = 0;
  double totalSeconds = 0;
  bool operator==(const BudgetLimits &) const = default;
};

/// Three times what the search may take; 0 where that is unlimited.
double usualTotal(double searchSeconds);

BudgetLimits limitsOf(const RunConfig &config);

/// The option that bounds the whole of such a run.
std::string totalOption(const RunConfig &config);

/// For the next of `searches` of one command: of a total, what is left of it after `elapsed` seconds is divided.
BudgetLimits shareOf(const BudgetLimits &all, double elapsed, std::size_t searches, std::size_t searchesLeft);

/// A run when its search is to begin, or to go on.
struct BudgetState {
  double usedSeconds = 0;     ///< of the run until now: its earlier processes and this one's preparation
  double searchedSeconds = 0; ///< out of that, searching
  double afterSeconds = 0;    ///< what confirmation and write-back are likely to take; 0 = there is nothing to confirm
  double extraSeconds = 0;    ///< the tree with sanitizers: a run that is short of time does without
};

struct BudgetPlan {
  double searchSeconds = kNoTimeLimit; ///< for this process; 0 = only what is tried in any case (search/optimize.h)
  double reservedSeconds = 0;          ///< out of the total, for what comes after
  /// The total that the whole search and what comes after it are likely to need; 0 where they have it.
  double neededTotal = 0;
  bool operator==(const BudgetPlan &) const = default;
};

/// What comes after is kept out of the search's time, but not more than 60 % of what is left: it is an estimate, and a
/// search that tries nothing needs none of it.
BudgetPlan planBudget(const BudgetLimits &limits, const BudgetState &state);

} // namespace agentic
