// Calls that are timed in runner processes, with the baseline and with a candidate in turn.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/benchmark/statistics.h"
#include "tool/evaluate/differential/plan.h"
#include "tool/evaluate/differential/replay.h"

#include <string>
#include <vector>

namespace agentic {

inline constexpr std::size_t kLargestTimedCall = 64u << 20; ///< bytes

class TimedCalls {
public:
  struct Libraries {
    std::string baseline, candidate; ///< shared objects
  };
  /// `planFile` is written by each run; its folder exists.
  TimedCalls(const ReplayContext &context, Libraries libraries, std::string planFile)
      : context_(context), libraries_(std::move(libraries)), planFile_(std::move(planFile)) {}

  /// Adds a call, with a part of its contents replaced. `tag` is the caller's.
  void add(PlannedCall call, std::vector<PlanPatch> patches = {}, std::size_t tag = 0);
  std::size_t size() const { return plan_.steps.size(); }

  /// Drops what the baseline does not survive. Before the first pair. Cost: a run of the baseline.
  Result<void> keepWhatTheBaselineDoes();
  /// Adds a pair to each call's measurement. Cost: some 0.04 s a call. Error: one of the two ended early.
  Result<void> runPair(bool candidateFirst);

  const std::vector<BenchmarkMeasurement> &measurements() const { return measurements_; } ///< one for each call
  std::size_t tag(std::size_t call) const { return tags_[call]; }

private:
  Result<void> runSide(bool isCandidate);
  Result<ReplayOutcome> replaySide(bool isCandidate);

  const ReplayContext &context_;
  Libraries libraries_;
  std::string planFile_;
  Plan plan_;
  std::vector<std::size_t> tags_;
  std::vector<BenchmarkMeasurement> measurements_;
};

} // namespace agentic
