// Runs a plan on the baseline once, perhaps beside another run: nothing is timed there.
#pragma once

#include "tool/base/error.h"
#include "tool/evaluate/differential/plan.h"
#include "tool/evaluate/differential/replay.h"

#include <atomic>
#include <cstddef>
#include <future>
#include <string>

namespace agentic {

struct PlanRun {
  Result<ReplayOutcome> outcome;
  double seconds = 0;
};

/// The plan to run; `planFile` is written already.
struct PlanRunRequest {
  std::string planFile;
  std::size_t steps = 0;
  std::string library;
  double timeoutSeconds = 60;
};

PlanRun runPlan(const ReplayContext &context, const PlanRunRequest &request);

/// Runs runPlan in a thread of its own. `context` must outlive it, but not `request`. The destructor waits for its end.
class PlanRunBeside {
public:
  PlanRunBeside(const ReplayContext &context, const PlanRunRequest &request);
  ~PlanRunBeside();

  /// Ends the run soon; its result is no longer wanted.
  void stop() { stop_ = true; }
  /// Call it once. Returns interruptedError() if `context.cancelled` was raised, or after stop().
  PlanRun get();

private:
  const ReplayContext &outer_;
  std::atomic<bool> stop_ = false;
  std::future<PlanRun> run_;
};

} // namespace agentic
