// One run of a plan on the baseline, perhaps beside another one: nothing is timed against anything there.
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

/// What to run: `planFile` is written already.
struct PlanRunRequest {
  std::string planFile;
  std::size_t steps = 0;
  std::string library;
  double timeoutSeconds = 60;
};

PlanRun runPlan(const ReplayContext &context, const PlanRunRequest &request);

/// runPlan in a thread of its own. `context` must outlive it, but not `request`. Its end is waited for.
class PlanRunBeside {
public:
  PlanRunBeside(const ReplayContext &context, const PlanRunRequest &request);
  ~PlanRunBeside();

  /// What it gives is no longer wanted: it ends soon.
  void stop() { stop_ = true; }
  /// Once. The error interruptedError() where `context.cancelled` was raised, or after stop().
  PlanRun get();

private:
  const ReplayContext &outer_;
  std::atomic<bool> stop_ = false;
  std::future<PlanRun> run_;
};

} // namespace agentic
