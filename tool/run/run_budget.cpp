#include "tool/run/run_budget.h"

#include "tool/evaluate/instruments/sanitized_tree.h"
#include "tool/model/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace agentic {
namespace {

constexpr int kConfirmPairs = 20, kClaimPairs = 9; ///< rarely more: candidates that get there won clearly
constexpr double kMostPlanSeconds = 4, kMostUnsetSeconds = 5, kExaminedShare = 0.02, kInstrumentedCompiles = 12,
                 kInstrumentedTests = 12;
constexpr double kEndShare = 0.125, kMostShortening = 60; ///< seconds where the search has no limit
/// Factors for the next budget if this one was too small: the time of the rest is not known before it is done.
constexpr double kMore = 2, kMoreForPreparation = 3, kUsualSeconds = 180, kStartSeconds = 3;

/// `measure`: RunBudget::measure(), of which the full plan takes a share.
double secondsAfter(const Calibration &calibration, double measure) {
  // The full differential part: the baseline does its plan some five times. Sanitizers and coverage: instrumented
  // compiles of baseline and winner, and their tests at a few times the usual pace.
  const double plan = measure > 0 ? std::min(kMostPlanSeconds, kExaminedShare * measure) : kMostPlanSeconds;
  const double unsetValues = 1.5 * std::min(kMostUnsetSeconds, 4 * plan); // time of the baseline, then of the winner
  const double examination = 5 * plan + unsetValues + kInstrumentedCompiles * calibration.compileSeconds +
                             kInstrumentedTests * calibration.testSeconds;
  return examination + calibration.compileSeconds + 3 * calibration.testSeconds + 2 * calibration.treeSeconds +
         (kConfirmPairs + kClaimPairs) * calibration.benchmarkSeconds + calibration.endToEndSeconds;
}

std::string nameOf(const Candidate &candidate) {
  return candidate.id + " (" + candidate.origin + ")";
}

} // namespace

void RunBudget::start(const RunConfig &config, const RunRecord *before, const std::atomic<bool> &cancelled) {
  limits_ = limitsOf(config);
  option_ = totalOption(config);
  measure_ = config.maxTotalSeconds ? limits_.totalSeconds / usualTotal(1) : limits_.totalSeconds;
  usedBefore_ = before ? before->secondsUsed : 0;
  searchedBefore_ = before ? before->searchSeconds : 0;
  limit_ = std::make_unique<TimeLimit>(end().value_or(TimeLimit::kNever), &cancelled);
}

void RunBudget::release() {
  if (limit_)
    limit_->moveTo(TimeLimit::kNever);
}

std::optional<double> RunBudget::end() const {
  return isLimited() ? std::optional(start_ + limits_.totalSeconds - usedBefore_) : std::nullopt;
}

void RunBudget::plan(const Calibration &calibration, bool hasSearchEnded) {
  prepared_ = steadySeconds() - start_;
  after_ = secondsAfter(calibration, measure());
  hasSearchEnded_ = hasSearchEnded;
  plan_ = planBudget(limits_, {.usedSeconds = used(),
                               .searchedSeconds = searchedBefore_,
                               .afterSeconds = after_,
                               .extraSeconds = sanitizedTreeSeconds(calibration.treeSeconds, calibration.testSeconds)});
}

double RunBudget::ofTheEnd(double mostWithoutLimit, double used) const {
  const double share = limits_.searchSeconds > 0 ? kEndShare * limits_.searchSeconds : mostWithoutLimit;
  return std::max(0.0, std::min(share - used, isLimited() ? *left() - after_ : share));
}

double RunBudget::shorteningSeconds(double used) const {
  return ofTheEnd(kMostShortening, used);
}

double RunBudget::reviewSeconds(double used) const {
  return ofTheEnd(kNoTimeLimit, used);
}

std::string RunBudget::planText() const {
  if (!isLimited())
    return {};
  const std::string before = usedBefore_ > 0 ? fmt::format("{} before, ", seconds(usedBefore_)) : "";
  const std::string search =
      hasSearchEnded_ ? "the search has ended" : fmt::format("searching at most {}", seconds(plan_.searchSeconds));
  return fmt::format("time: {}preparing {}, {}, confirming and writing back about {}; at most {} in all", before,
                     seconds(prepared_), search, seconds(after_), seconds(limits_.totalSeconds));
}

std::string RunBudget::warning() const {
  if (plan_.neededTotal <= 0 || hasSearchEnded_)
    return {};
  return fmt::format("{} in all are little for this kernel: {} {}, confirming and writing back take about {}, which "
                     "leaves {} for searching; {} {:.0f} would do",
                     seconds(limits_.totalSeconds), usedBefore_ > 0 ? "the run has used" : "preparation took",
                     seconds(usedBefore_ + prepared_), seconds(after_), seconds(plan_.searchSeconds), option_,
                     plan_.neededTotal);
}

std::string RunBudget::moreTime() const {
  const double total = std::ceil(std::max(kMore * limits_.totalSeconds, plan_.neededTotal));
  if (limits_.searchSeconds <= 0)
    return isLimited() ? fmt::format("{} {:.0f}", option_, total) : "--max-seconds";
  const std::string search = fmt::format("--max-seconds {:.0f}", std::ceil(kMore * limits_.searchSeconds));
  return isLimited() ? fmt::format("{} {} {:.0f}", search, option_, total) : search;
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
  const std::string over =
      fmt::format("{}: the {} of {} were over while ", kernel, seconds(limits_.totalSeconds), option_);
  const std::string resume = usedBefore_ > 0 ? "--resume " : "";
  if (isPreparing_) {
    // The rest of preparation is not known; for a resumed run, only that is not known.
    const double usual = option_ == "--max-seconds" ? kUsualSeconds : usualTotal(kUsualSeconds);
    const double total = usedBefore_ > 0 ? used() + usual : std::max(usual, kMoreForPreparation * limits_.totalSeconds);
    return {ErrorKind::User,
            over + doing_ +
                (usedBefore_ > 0 ? ", before the run could go on" : ", before any candidate could be tried"),
            fmt::format("give it more time: {}{} {:.0f} is likely to do", resume, option_, std::ceil(total))};
  }
  const double done = confirmStart_ > 0 ? steadySeconds() - confirmStart_ : 0;
  const double needed = std::max(kMore * after_, kMore * done) + kStartSeconds;
  return {ErrorKind::NoImprovement,
          over + doing_ + (done > 0 ? fmt::format(", {} after that was begun", seconds(done)) : "") +
              "; nothing was written",
          fmt::format("continue with that: --resume {} {:.0f}", option_, std::ceil(used() + needed))};
}

} // namespace agentic
