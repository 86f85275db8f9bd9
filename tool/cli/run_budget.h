// The wall time of one run, all of its processes together: what is used, what confirm and write-back will need, and
// what is said when it is over.
#pragma once

#include "tool/base/clock.h"
#include "tool/base/error.h"
#include "tool/base/time_limit.h"
#include "tool/evaluate/evaluator.h"

#include <algorithm>
#include <memory>
#include <string>

namespace agentic {

/// Begins with the process. Must outlive whatever watches its flag.
class RunBudget {
public:
  /// From now on the flag is raised at the end of the budget, or when `cancelled` is. `maxSeconds` 0 = no end;
  /// `usedBefore`: by earlier processes of the run.
  void start(double maxSeconds, double usedBefore, const std::atomic<bool> &cancelled);
  /// The run is through: nothing is stopped any more.
  void release();

  const std::atomic<bool> *flag() const { return limit_->flag(); }
  bool isOver() const { return limit_ && limit_->isUp(); }
  double startSeconds() const { return start_; } ///< of steadySeconds()
  double end() const;                            ///< the same; 0 = none
  double wallSeconds() const { return steadySeconds() - start_; }
  double used() const { return usedBefore_ + wallSeconds(); }
  double left() const { return maxSeconds_ > 0 ? std::max(0.0, maxSeconds_ - used()) : 0; } ///< 0: over, or no end

  /// What confirm and write-back take, from what preparation measured; and how much of that is kept for them: some of a
  /// short budget is for searching.
  void reserveFor(const Calibration &calibration);
  double reserved() const { return reserved_; }
  /// Empty, or that the budget is little for this kernel, and what would do.
  std::string warning() const;

  void prepares(std::string what) { doing_ = std::move(what); } ///< "recording calls …"
  void searches();
  void confirms(const Candidate &candidate);
  void writes(const Candidate &candidate);

  /// What a run says that ended because its time did: what it did then, and what to do now.
  Error overError(const std::string &kernel) const;

private:
  double start_ = steadySeconds(), usedBefore_ = 0, maxSeconds_ = 0, wanted_ = 0, reserved_ = 0;
  double confirmStart_ = 0; ///< since the winner is known
  bool isPreparing_ = true;
  std::string doing_ = "reading the project";
  std::unique_ptr<TimeLimit> limit_;
};

} // namespace agentic
