#include "tool/evaluate/differential/plan_run.h"

#include "tool/base/clock.h"

#include <chrono>

namespace agentic {

PlanRun runPlan(const ReplayContext &context, const PlanRunRequest &request) {
  const double start = steadySeconds();
  Result<ReplayOutcome> outcome =
      replay(context, request.planFile, request.steps, request.library, request.timeoutSeconds);
  return {std::move(outcome), steadySeconds() - start};
}

PlanRunBeside::PlanRunBeside(const ReplayContext &context, const PlanRunRequest &request) : outer_(context) {
  ReplayContext own = context;
  own.cancelled = &stop_;
  run_ = std::async(std::launch::async, [own, request] { return runPlan(own, request); });
}

PlanRunBeside::~PlanRunBeside() {
  stop_ = true;
}

PlanRun PlanRunBeside::get() {
  while (run_.wait_for(std::chrono::milliseconds(10)) != std::future_status::ready)
    if (outer_.cancelled && *outer_.cancelled)
      stop_ = true;
  return run_.get();
}

} // namespace agentic
