#include "tool/cli/run_budget.h"

#include "tool/cli/common.h"
#include "tool/evaluate/instruments/sanitized_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace agentic {
namespace {

constexpr int kConfirmPairs = 20, kClaimPairs = 9; ///< rarely more: who gets there won clearly
constexpr double kMostPlanSeconds = 4, kExaminedShare = 0.02, kInstrumentedCompiles = 8, kInstrumentedTests = 12;
constexpr double kMostReserved = 0.6; ///< of what preparation left
/// The next budget, where this one was too small: how long the rest takes is not known before it is through.
constexpr double kMoreForPreparation = 3, kMoreForConfirm = 2, kUsualSeconds = 180, kStartSeconds = 3;

double reserveSeconds(const Calibration &calibration, double budget) {
  // The full differential part: the baseline does its plan some five times. Sanitizers and coverage: instrumented
  // compiles of baseline and winner, and their tests at a few times the usual pace.
  const double examination = 5 * std::min(kMostPlanSeconds, kExaminedShare * budget) +
                             kInstrumentedCompiles * calibration.compileSeconds +
                             kInstrumentedTests * calibration.testSeconds;
  return examination + calibration.compileSeconds + 3 * calibration.testSeconds + 2 * calibration.treeSeconds +
         (kConfirmPairs + kClaimPairs) * calibration.benchmarkSeconds;
}

std::string nameOf(const Candidate &candidate) {
  return candidate.id + " (" + candidate.origin + ")";
}

} // namespace

void RunBudget::start(double maxSeconds, double usedBefore, const std::atomic<bool> &cancelled) {
  maxSeconds_ = maxSeconds;
  usedBefore_ = usedBefore;
  limit_ =
      std::make_unique<TimeLimit>(maxSeconds > 0 ? start_ + maxSeconds - usedBefore : TimeLimit::kNever, &cancelled);
}

void RunBudget::release() {
  if (limit_)
    limit_->moveTo(TimeLimit::kNever);
}

double RunBudget::end() const {
  return maxSeconds_ > 0 ? start_ + maxSeconds_ - usedBefore_ : 0;
}

void RunBudget::reserveFor(const Calibration &calibration) {
  const double most = kMostReserved * left();
  wanted_ = reserveSeconds(calibration, maxSeconds_);
  // A budget that is small does without the tree with sanitizers: the variant's header says so.
  const double all = wanted_ + sanitizedTreeSeconds(calibration.treeSeconds, calibration.testSeconds);
  reserved_ = all <= most ? all : std::min(wanted_, most);
}

std::string RunBudget::warning() const {
  if (maxSeconds_ <= 0 || wanted_ <= reserved_)
    return {};
  return fmt::format("{} is little for this kernel: {} {}, confirming and writing back take about {}; "
                     "--max-seconds {:.0f} would do",
                     seconds(maxSeconds_), usedBefore_ > 0 ? "the run has used" : "preparation took", seconds(used()),
                     seconds(wanted_), std::ceil(used() + wanted_ / kMostReserved));
}

void RunBudget::searches() {
  isPreparing_ = false;
  doing_ = "searching";
}

void RunBudget::confirms(const Candidate &candidate) {
  if (confirmStart_ == 0)
    confirmStart_ = steadySeconds();
  doing_ = "confirming " + nameOf(candidate);
}

void RunBudget::writes(const Candidate &candidate) {
  doing_ = "building and measuring " + nameOf(candidate) + " as it would ship";
}

Error RunBudget::overError(const std::string &kernel) const {
  const std::string over = fmt::format("{}: the {} of --max-seconds were over while ", kernel, seconds(maxSeconds_));
  if (isPreparing_)
    return {ErrorKind::User, over + doing_ + ", before any candidate could be tried",
            fmt::format("give it more time: --max-seconds {:.0f} is likely to do",
                        std::max(kUsualSeconds, kMoreForPreparation * maxSeconds_))};
  const double done = confirmStart_ > 0 ? steadySeconds() - confirmStart_ : 0;
  const double needed = std::max(wanted_ / kMostReserved, kMoreForConfirm * done) + kStartSeconds;
  return {ErrorKind::NoImprovement,
          over + doing_ + (done > 0 ? fmt::format(", {} after that was begun", seconds(done)) : "") +
              "; nothing was written",
          fmt::format("continue with that: --resume --max-seconds {:.0f}", std::ceil(used() + needed))};
}

} // namespace agentic
