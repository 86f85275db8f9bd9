// The wall time of one run, all of its processes together: the used time, the plan for search, confirmation and
// write-back (search/budget_plan.h), and the messages about them.
#pragma once

#include "tool/base/clock.h"
#include "tool/base/error.h"
#include "tool/base/time_limit.h"
#include "tool/evaluate/pipeline/evaluator.h"
#include "tool/search/budget_plan.h"
#include "tool/search/journal.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

namespace agentic {

/// Begins with the process. Must outlive every watcher of its flag.
class RunBudget {
public:
  /// Raises the flag from now on at the end of the total, or when `cancelled` is raised. `before`: the resumed run, or
  /// nullptr.
  void start(const RunConfig &config, const RunRecord *before, const std::atomic<bool> &cancelled);
  /// Ends the limit: nothing is stopped any more.
  void release();

  const std::atomic<bool> *flag() const { return limit_->flag(); }
  bool isOver() const { return limit_ && limit_->isUp(); }
  bool isLimited() const { return limits_.totalSeconds > 0; }
  double startSeconds() const { return start_; } ///< time of steadySeconds()
  std::optional<double> end() const;             ///< time of steadySeconds(); nullopt = none
  double usedBefore() const { return usedBefore_; }
  double used() const { return usedBefore_ + (steadySeconds() - start_); }
  /// Returns the rest of the total; nullopt: there is no end.
  std::optional<double> left() const {
    return isLimited() ? std::optional(std::max(0.0, limits_.totalSeconds - used())) : std::nullopt;
  }
  /// Returns the time of which single steps before and after the search take shares (EvaluatorOptions::secondsLimit): a
  /// third of the total, which is the search's time unless that is given separately; 0 = no limit.
  double measure() const { return measure_; }

  /// Plans from preparation's measurements; `hasSearchEnded`: before, so that only the work after it remains.
  void plan(const Calibration &calibration, bool hasSearchEnded);
  double searchSeconds() const { return plan_.searchSeconds; }
  /// Returns the time that is left for shortening a winner: an eighth of the search's, of which `used` is spent, and no
  /// more than what the work after it leaves.
  double shorteningSeconds(double used) const;
  /// Returns the time of a review that begins now: as much as for shortening, of its own; where the search has no
  /// limit, nor has the review.
  double reviewSeconds(double used) const;
  /// Returns one line: the time of preparation, and the limits of the rest. Empty without a limit.
  std::string planText() const;
  /// Returns empty, or a warning that the total is short for this kernel, with a sufficient one.
  std::string warning() const;
  /// Returns the options that would give a run like this more time: "--max-seconds 160 --max-total-seconds 480".
  std::string moreTime() const;

  void prepares(std::string what) { doing_ = std::move(what); } ///< "recording calls …"
  void searches();
  void confirms(const Candidate &candidate);
  void writes(const Candidate &candidate);

  /// Returns the error of a run that ended because its time did: its work at that time, and the next step.
  Error overError(const std::string &kernel) const;

private:
  /// Returns an eighth of the search's time, without what is used of it, as far as the work after it leaves that.
  double ofTheEnd(double mostWithoutLimit, double used) const;
  double start_ = steadySeconds(), usedBefore_ = 0, searchedBefore_ = 0, measure_ = 0;
  BudgetLimits limits_;
  std::string option_; ///< option that bounds the total
  double prepared_ = 0, after_ = 0;
  bool hasSearchEnded_ = false;
  BudgetPlan plan_;
  double confirmStart_ = 0; ///< time since the winner is known
  bool isPreparing_ = true;
  std::string doing_ = "reading the project";
  std::unique_ptr<TimeLimit> limit_;
};

} // namespace agentic
