// The wall time of one run, all of its processes together: what is used, what is planned for search, confirmation and
// write-back (search/budget_plan.h), and what is said of it.
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

/// Begins with the process. Must outlive whatever watches its flag.
class RunBudget {
public:
  /// From now on the flag is raised at the end of the total, or when `cancelled` is. `before`: the run that is resumed,
  /// or nullptr.
  void start(const RunConfig &config, const RunRecord *before, const std::atomic<bool> &cancelled);
  /// The run is through: nothing is stopped any more.
  void release();

  const std::atomic<bool> *flag() const { return limit_->flag(); }
  bool isOver() const { return limit_ && limit_->isUp(); }
  bool isLimited() const { return limits_.totalSeconds > 0; }
  double startSeconds() const { return start_; } ///< of steadySeconds()
  std::optional<double> end() const;             ///< the same; nullopt = none
  double usedBefore() const { return usedBefore_; }
  double used() const { return usedBefore_ + (steadySeconds() - start_); }
  /// Of the total; nullopt: there is no end.
  std::optional<double> left() const {
    return isLimited() ? std::optional(std::max(0.0, limits_.totalSeconds - used())) : std::nullopt;
  }
  /// What single steps before and after the search take shares of (EvaluatorOptions::secondsLimit): a third of the
  /// total, which is the search's time unless that is given apart; 0 = no limit.
  double measure() const { return measure_; }

  /// From what preparation measured; `hasSearchEnded`: before, so that only what comes after it is left.
  void plan(const Calibration &calibration, bool hasSearchEnded);
  double searchSeconds() const { return plan_.searchSeconds; }
  /// One line: what preparation took, and what the rest may take. Empty without a limit.
  std::string planText() const;
  /// Empty, or that the total is little for this kernel, and what would do.
  std::string warning() const;
  /// The options that would give a run like this more time: "--max-seconds 160 --max-total-seconds 480".
  std::string moreTime() const;

  void prepares(std::string what) { doing_ = std::move(what); } ///< "recording calls …"
  void searches();
  void confirms(const Candidate &candidate);
  void writes(const Candidate &candidate);

  /// What a run says that ended because its time did: what it did then, and what to do now.
  Error overError(const std::string &kernel) const;

private:
  double start_ = steadySeconds(), usedBefore_ = 0, searchedBefore_ = 0, measure_ = 0;
  BudgetLimits limits_;
  std::string option_; ///< that bounds the total
  double prepared_ = 0, after_ = 0;
  bool hasSearchEnded_ = false;
  BudgetPlan plan_;
  double confirmStart_ = 0; ///< since the winner is known
  bool isPreparing_ = true;
  std::string doing_ = "reading the project";
  std::unique_ptr<TimeLimit> limit_;
};

} // namespace agentic
