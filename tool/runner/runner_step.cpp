#include "tool/runner/runner_step.h"

#include "tool/runner/runner_fault.h"
#include "tool/runner/runner_state.h"
#include "tool/runner/runner_timing.h"
#include "tool/runner/statics.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <sys/resource.h>

namespace agentic::runner {
namespace {

/// Returns the limit beyond which the least recently used slots are evicted.
std::size_t memoryBudget() {
  constexpr std::size_t kMost = 1u << 30;
  rlimit limit;
  return ::getrlimit(RLIMIT_AS, &limit) == 0 ? std::min<std::size_t>(kMost, limit.rlim_cur / 2) : kMost;
}

constexpr int kBatches = 20;

double threadSeconds() {
  timespec now;
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Closure {
  const agentic_glue *glue;
  void *function;
  void *const *arguments;
  void *result;
};

void invoke(void *closure) {
  const Closure &call = *static_cast<Closure *>(closure);
  call.glue->invoke(call.function, call.arguments, call.result);
}

std::uint64_t hashOutputs(const std::vector<Span> &outputs) {
  std::vector<std::uint64_t> hashes;
  for (const Span &output : outputs)
    hashes.push_back(wire::hashBytes(output.data, output.bytes));
  return wire::hashBytes(hashes.data(), hashes.size() * sizeof(std::uint64_t));
}

} // namespace

StepRunner::StepRunner(const Plan &plan, const agentic_glue &glue, void *function)
    : plan_(plan), glue_(glue), function_(function), stack_(plan.header.stackBytes, plan.header.guardBytes),
      resultValue_(glue.result.size / sizeof(std::max_align_t) + 1) {
  faultScene.stack = &stack_;
}

Slot &StepRunner::slotOf(const wire::Step &step) {
  std::unique_ptr<Slot> &slot = slots_[{step.slot, step.layout}];
  if (!slot)
    slot = std::make_unique<Slot>(glue_, plan_.header.guardBytes, step.layout);
  hasLateWrites_ = hasLateWrites_ || slot->hasChanged();
  slot->lastUse = ++uses_;
  return *slot;
}

void StepRunner::evict(const Slot &present) {
  static const std::size_t budget = memoryBudget();
  for (;;) {
    std::size_t bytes = 0;
    auto oldest = slots_.end();
    for (auto one = slots_.begin(); one != slots_.end(); ++one) {
      bytes += one->second->mappedBytes();
      if (one->second.get() != &present && (oldest == slots_.end() || one->second->lastUse < oldest->second->lastUse))
        oldest = one;
    }
    if (bytes <= budget || oldest == slots_.end())
      return;
    hasLateWrites_ = hasLateWrites_ || oldest->second->hasChanged();
    slots_.erase(oldest);
  }
}

/// Makes one call with everything around it watched.
std::uint32_t StepRunner::callChecked(std::uint64_t seed, wire::StepResult &result) {
  std::memset(resultValue_.data(), 0, resultValue_.size() * sizeof(std::max_align_t));
  Closure closure{&glue_, function_, slot_->arguments(), glue_.result.size ? resultValue_.data() : nullptr};
  const ProcessState before = takeState();
  const std::uint64_t statics = staticsAround(function_);
  stack_.scribble(seed);
  const double begin = threadSeconds();
  errno = 0;
  stack_.call(&invoke, &closure);
  const int error = errno;
  const std::uint64_t floatingPoint = floatingPointState();
  restoreFloatingPoint(before.floatingPoint);
  result.seconds = threadSeconds() - begin;
  result.calls = 1;
  result.stackBytes = stack_.used(seed);
  const bool keptState = staticsAround(function_) != statics;
  ProcessState after = takeState();
  after.floatingPoint = floatingPoint;
  ::sigprocmask(SIG_SETMASK, &before.mask, nullptr);
  return differences(before, after) | (error != 0 ? wire::kErrno : 0u) | (keptState ? wire::kStatics : 0u);
}

StepOutcome StepRunner::run(std::uint64_t number) {
  const PlannedStep &step = plan_.steps[number];
  StepOutcome outcome;
  outcome.result.step = number;
  faultScene.slot = nullptr;
  faultScene.step = number;
  slot_ = &slotOf(step.header);
  slot_->prepare(plan_.calls[step.header.call], step);
  slot_->protect();
  evict(*slot_);
  faultScene.slot = slot_;

  if (step.header.watchOutputs) {
    outputs_.arm(slot_->outputRegions());
    faultScene.outputs = &outputs_;
  }
  outcome.result.disturbances = callChecked(step.header.seed, outcome.result);
  if (step.header.watchOutputs) {
    faultScene.outputs = nullptr;
    outputs_.disarm();
    outcome.result.disturbances |= outputs_.wasRead() ? wire::kOutputsRead : 0u;
  }
  outcome.result.disturbances |= slot_->check();
  outcome.outputs = slot_->outputs();
  if (glue_.result.size)
    outcome.outputs.push_back({reinterpret_cast<const char *>(resultValue_.data()), glue_.result.size});
  outcome.result.outputHash = hashOutputs(outcome.outputs);
  if (step.header.timeSeconds > 0) {
    measure(step.header.timeSeconds, outcome.result);
    outcome.result.disturbances |= slot_->check();
  }
  if (step.header.timeSeconds > 0 || !step.header.dump)
    outcome.outputs.clear();
  slot_->seal();
  return outcome;
}

/// Returns the CPU time of `count` rounds of all work for a call, with or without the call itself.
double StepRunner::timeBatch(Slot &slot, std::uint64_t count, std::size_t stackBytes, bool withKernel) {
  Closure closure{&glue_, function_, slot.arguments(), glue_.result.size ? resultValue_.data() : nullptr};
  const bool refills = slot.needsRefill();
  const double begin = threadSeconds();
  for (std::uint64_t i = 0; i < count; ++i) {
    if (refills)
      slot.refill();
    stack_.wipe(stackBytes);
    if (withKernel)
      stack_.call(&invoke, &closure);
  }
  return (threadSeconds() - begin) / static_cast<double>(count);
}

void StepRunner::measure(double seconds, wire::StepResult &result) {
  const double first = std::max(result.seconds, 1e-8);
  const double rounds = std::clamp(seconds / (kBatches * first), 1.0, 1e7);
  const auto count = static_cast<std::uint64_t>(rounds);
  std::vector<TimedBatches> batches;
  double spent = 0;
  result.calls = 0;
  do {
    const double preparation = timeBatch(*slot_, count, result.stackBytes, false);
    const double both = timeBatch(*slot_, count, result.stackBytes, true);
    batches.push_back({preparation, both});
    result.calls += count;
    spent += (preparation + both) * static_cast<double>(count);
  } while (spent < seconds);
  result.seconds = secondsOfCall(batches);
}

std::uint32_t StepRunner::lateDisturbances() {
  for (const auto &[key, slot] : slots_)
    hasLateWrites_ = hasLateWrites_ || slot->hasChanged();
  return hasLateWrites_ ? wire::kEarlierResults : 0u;
}

} // namespace agentic::runner
