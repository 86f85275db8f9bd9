// Divides the wall time of a run: the search's part, and the reserve for the work after it. Values in, values out;
// run/run_budget.h reads the clock.
//
// `maxSeconds` bounds the search alone. The total bounds preparation, confirmation and write-back; it counts all of the
// run, its earlier processes included. A run that began when maxSeconds bounded everything keeps that rule.
#pragma once

#include "tool/model/run_config.h"

#include <cstddef>
#include <string>

namespace agentic {

inline constexpr double kNoTimeLimit = 1e9; ///< seconds; as it is told to agents

/// Limits of a run; 0 = no limit.
struct BudgetLimits {
  double searchSeconds = 0;
  double totalSeconds = 0;
  bool operator==(const BudgetLimits &) const = default;
};

/// Returns three times the search's time; 0 where that is unlimited.
double usualTotal(double searchSeconds);

BudgetLimits limitsOf(const RunConfig &config);

/// Returns the option that bounds the whole of such a run.
std::string totalOption(const RunConfig &config);

/// Returns the limits of the next of `searches` of one command: divides the rest of a total after `elapsed` seconds.
BudgetLimits shareOf(const BudgetLimits &all, double elapsed, std::size_t searches, std::size_t searchesLeft);

/// The state of a run when its search is to begin, or to continue.
struct BudgetState {
  double usedSeconds = 0;     ///< used by the run so far: its earlier processes and this one's preparation
  double searchedSeconds = 0; ///< out of that, searching
  double afterSeconds = 0;    ///< likely time of confirmation and write-back; 0 = there is nothing to confirm
  double extraSeconds = 0;    ///< time of the tree with sanitizers, which a run short of time leaves out
};

struct BudgetPlan {
  double searchSeconds = kNoTimeLimit; ///< for this process; 0 = only what is tried in any case (search/optimize.h)
  double reservedSeconds = 0;          ///< part of the total for the work after the search
  /// The total that the whole search and the work after it are likely to need; 0 if the total suffices.
  double neededTotal = 0;
  bool operator==(const BudgetPlan &) const = default;
};

/// Subtracts the time for the work after the search from the search's time, but not more than 75 % of the rest: it is
/// an estimate, and a search that tries nothing needs none of it. What is found and not confirmed is lost to this run.
BudgetPlan planBudget(const BudgetLimits &limits, const BudgetState &state);

} // namespace agentic
