// Runs the steps of a plan, one after the other, and keeps their memory.
#pragma once

#include "tool/runner/runner_slot.h"
#include "tool/runner/runner_stack.h"
#include "tool/runner/runner_watch.h"

#include <map>
#include <memory>

namespace agentic::runner {

struct StepOutcome {
  wire::StepResult result;
  std::vector<Span> outputs; ///< valid until the next step; empty if only hashes are asked for
};

class StepRunner {
public:
  StepRunner(const Plan &plan, const agentic_glue &glue, void *function);

  StepOutcome run(std::uint64_t number);
  /// Returns wire::kEarlierResults if a slot has changed since the call that last used it.
  std::uint32_t lateDisturbances();

private:
  Slot &slotOf(const wire::Step &step);
  void evict(const Slot &present);
  std::uint32_t callChecked(std::uint64_t seed, wire::StepResult &result);
  void measure(double seconds, wire::StepResult &result);
  double timeBatch(Slot &slot, std::uint64_t count, std::size_t stackBytes, bool withKernel);

  using SlotKey = std::pair<std::uint32_t, wire::Layout>;
  const Plan &plan_;
  const agentic_glue &glue_;
  void *function_;
  CallStack stack_;
  std::map<SlotKey, std::unique_ptr<Slot>> slots_;
  Slot *slot_ = nullptr; ///< slot of the present step
  OutputWatch outputs_;
  std::vector<std::max_align_t> resultValue_;
  std::uint64_t uses_ = 0;
  bool hasLateWrites_ = false;
};

} // namespace agentic::runner
